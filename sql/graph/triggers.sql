-- The triggers of the graph and of entity.degree: statement level, one for each event, because a trigger with transition
-- tables takes one event and no column list, and TRUNCATE has no rows. They fire whatever writes the tables.
CREATE OR REPLACE TRIGGER project_inserted_entities AFTER INSERT ON pgrag.entity
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION pgrag.project_inserted_entities();
CREATE OR REPLACE TRIGGER project_updated_entities AFTER UPDATE ON pgrag.entity
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION pgrag.project_updated_entities();
CREATE OR REPLACE TRIGGER project_deleted_entities AFTER DELETE ON pgrag.entity
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION pgrag.project_deleted_entities();
CREATE OR REPLACE TRIGGER project_truncated AFTER TRUNCATE ON pgrag.entity
    FOR EACH STATEMENT EXECUTE FUNCTION pgrag.project_truncated();
CREATE OR REPLACE TRIGGER project_inserted_relations AFTER INSERT ON pgrag.relation
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION pgrag.project_inserted_relations();
CREATE OR REPLACE TRIGGER keep_degree_inserted AFTER INSERT ON pgrag.relation
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION pgrag.keep_degree_inserted();
CREATE OR REPLACE TRIGGER project_updated_relations AFTER UPDATE ON pgrag.relation
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION pgrag.project_updated_relations();
CREATE OR REPLACE TRIGGER keep_degree_updated AFTER UPDATE ON pgrag.relation
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION pgrag.keep_degree_updated();
CREATE OR REPLACE TRIGGER project_deleted_relations AFTER DELETE ON pgrag.relation
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION pgrag.project_deleted_relations();
CREATE OR REPLACE TRIGGER keep_degree_deleted AFTER DELETE ON pgrag.relation
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION pgrag.keep_degree_deleted();
CREATE OR REPLACE TRIGGER project_truncated AFTER TRUNCATE ON pgrag.relation
    FOR EACH STATEMENT EXECUTE FUNCTION pgrag.project_truncated();
CREATE OR REPLACE TRIGGER keep_degree_truncated AFTER TRUNCATE ON pgrag.relation
    FOR EACH STATEMENT EXECUTE FUNCTION pgrag.keep_degree_truncated();
