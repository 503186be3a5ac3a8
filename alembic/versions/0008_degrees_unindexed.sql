-- A degree changes with every relation that comes or goes; while an index holds it, each change writes all indexes of the
-- entity anew. The few lists that are ordered by degree sort the workspace's entities.
DROP INDEX pgrag.entity_by_degree;
