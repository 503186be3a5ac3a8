-- Load order of everything that can be re-created: `psql -1 -f sql/install.sql` and `pgrag migrate` both read it.
-- Only \ir lines and comments. A file is one object, named as the object.
\ir prelude.sql
\ir retired.sql

-- text: names, lines of the prompt, texts that are embedded
\ir text/require.sql
\ir text/name_key.sql
\ir text/entity_line.sql
\ir text/relation_line.sql
\ir text/entity_text.sql
\ir text/relation_text.sql
\ir text/workspace_id.sql
\ir text/majority.sql
\ir text/join_fragments.sql
\ir text/unite_keywords.sql
\ir text/resolve_key.sql
\ir text/may_need_summary.sql
\ir text/unbroken_letters.sql
\ir text/letter_pairs.sql
\ir text/text_words.sql
\ir text/text_language.sql

-- graph: the AGE graph that follows the tables, and what walks it
\ir graph/graph_installed.sql
\ir graph/graph_label.sql
\ir graph/graph_is_readable.sql
\ir graph/graph_is_stale.sql
\ir graph/graph_obstacle.sql
\ir graph/graph_backend.sql
\ir graph/sees_all_rows.sql
\ir graph/require_graph_rights.sql
\ir graph/give_graph.sql
\ir graph/grant_graph.sql
\ir graph/create_graph.sql
\ir graph/rebuild_graph.sql
\ir graph/check_graph.sql
\ir graph/project_inserted_entities.sql
\ir graph/project_updated_entities.sql
\ir graph/project_deleted_entities.sql
\ir graph/project_inserted_relations.sql
\ir graph/project_updated_relations.sql
\ir graph/project_deleted_relations.sql
\ir graph/project_truncated.sql
\ir graph/shift_degrees.sql
\ir graph/keep_degree_inserted.sql
\ir graph/keep_degree_updated.sql
\ir graph/keep_degree_deleted.sql
\ir graph/keep_degree_truncated.sql
\ir graph/triggers.sql
\ir graph/neighbors_by_join.sql
\ir graph/neighbors_by_cypher.sql
\ir graph/neighbors_of.sql
\ir graph/neighbors.sql
\ir graph/foremost_entities.sql
\ir graph/relations_at.sql
\ir graph/subgraph.sql
\ir graph/graph_picture.sql
\ir graph/ensure_graph.sql

-- search: what is near an embedding or like a name
\ir search/dimensions_of.sql
\ir search/require_dimensions.sql
\ir search/require_at_least.sql
\ir search/require_filter.sql
\ir search/require_search.sql
\ir search/exact_scan_rows.sql
\ir search/small_share.sql
\ir search/chunk_is_within.sql
\ir search/entity_is_within.sql
\ir search/relation_is_within.sql
\ir search/nearest_entities_exactly.sql
\ir search/nearest_entities_within.sql
\ir search/nearest_relations_exactly.sql
\ir search/nearest_relations_within.sql
\ir search/nearest_chunks_exactly.sql
\ir search/nearest_chunks_within.sql
\ir search/nearest_entities.sql
\ir search/nearest_relations.sql
\ir search/nearest_chunks.sql
\ir search/search_entities.sql
\ir search/search_relations.sql
\ir search/search_chunks.sql
\ir search/chunks_with_words.sql
\ir search/search_chunks_by_text.sql
\ir search/entities_like.sql
\ir search/match_entities.sql
\ir search/entities_alike.sql

-- expand: from entities to relations, back, and to the chunks that speak of them
\ir expand/relations_of_entities.sql
\ir expand/entities_of_relations.sql
\ir expand/chunks_of_entities.sql
\ir expand/chunks_of_relations.sql

-- merge: interleave, cut to budget, pick
\ir merge/round_robin_legs.sql
\ir merge/round_robin_chunks.sql
\ir merge/entities_within_budget.sql
\ir merge/relations_within_budget.sql
\ir merge/pick_chunks_by_vector.sql
\ir merge/pick_chunks_by_weight.sql
\ir merge/pick_chunks.sql

-- retrieve: the door of a question, and its stages
\ir retrieve/entity_items.sql
\ir retrieve/relation_items.sql
\ir retrieve/chunk_items.sql
\ir retrieve/retrieve_stages.sql
\ir retrieve/ranked_items.sql
\ir retrieve/retrieve_ranked.sql
\ir retrieve/leg_embedding.sql
\ir retrieve/require_retrieve.sql
\ir retrieve/retrieve.sql

-- explain: why retrieve gives what it gives
\ir explain/explained_hits.sql
\ir explain/explained_entities.sql
\ir explain/explained_relations.sql
\ir explain/fallen_chunk_hits.sql
\ir explain/picked_or_not.sql
\ir explain/explained_chunks.sql
\ir explain/explain_retrieve.sql
\ir explain/item_labels.sql
-- weighted: chunks, triples and words, fused into one list
\ir weighted/triple_score.sql
\ir weighted/triple_text.sql
\ir weighted/matched_entities.sql
\ir weighted/relations_within_reach.sql
\ir weighted/triples_of_names.sql
\ir weighted/triples_of_relations.sql
\ir weighted/fuse_weighted.sql
\ir weighted/fuse_rrf.sql
\ir weighted/weighted_ranked.sql
\ir weighted/weighted_items.sql
\ir weighted/require_weighted.sql
\ir weighted/retrieve_weighted.sql

-- edit: entities, relations and their names by hand; first what settling needs to know of merged ones
\ir edit/lock_names.sql
\ir edit/relations_of.sql
\ir edit/lock_entities.sql
\ir edit/require_name.sql
\ir edit/require_weight.sql
\ir edit/entity_named.sql
\ir edit/relation_named.sql
\ir edit/kept_relations.sql
\ir edit/statements_of_relations.sql
\ir edit/forget_statements.sql
\ir edit/place_statements.sql
\ir edit/take_statements.sql
\ir edit/evidence_at.sql
\ir edit/names_of_entities.sql
\ir edit/make_meant_entities.sql
\ir edit/make_meant_relations.sql
\ir edit/resolve_evidence.sql
\ir edit/is_called.sql
\ir edit/drop_alias.sql
\ir edit/make_entity.sql
\ir edit/absorb_entity.sql
\ir edit/give_back.sql
\ir edit/require_free_name.sql
\ir edit/change_key.sql
\ir edit/merge_entities.sql
\ir edit/unmerge_entity.sql
\ir edit/rename_entity.sql
\ir edit/create_entity.sql
\ir edit/edit_entity.sql
\ir edit/reset_entity.sql
\ir edit/delete_entity.sql
\ir edit/create_relation.sql
\ir edit/edit_relation.sql
\ir edit/reset_relation.sql
\ir edit/delete_relation.sql
\ir search/duplicate_candidates.sql

-- store: what writes documents and what follows from them
\ir store/create_workspace.sql
\ir store/delete_workspace.sql
\ir store/bump_version.sql
\ir store/keep_words.sql
\ir store/chunk_triggers.sql
\ir store/set_text_language.sql
\ir store/said_entities.sql
\ir store/said_relations.sql
\ir store/add_entity_evidence.sql
\ir store/add_relation_evidence.sql
\ir store/derive_entities.sql
\ir store/derive_relations.sql
\ir store/drop_unheard.sql
\ir store/settle.sql
\ir store/describe_document.sql
\ir store/enqueue_document.sql
\ir store/claim_job.sql
\ir store/renew_lease.sql
\ir store/release_jobs.sql
\ir store/fail_job.sql
\ir store/items_of_document.sql
\ir store/documents_named.sql
\ir store/replace_chunks.sql
\ir store/attach_chunks.sql
\ir store/embed_items.sql
\ir store/expect_many.sql
\ir store/keep_statistics.sql
\ir store/unknown_texts.sql
\ir store/new_texts.sql
\ir store/publish_document.sql
\ir store/retry_documents.sql
\ir store/pending_work.sql
\ir store/refresh_pending.sql
\ir store/store_refreshed.sql
\ir store/summarize_entities.sql
\ir store/summarize_relations.sql
\ir store/store_summaries.sql
\ir store/forget_extractions_of.sql
\ir store/delete_document.sql
\ir store/kept_extractions.sql
\ir store/keep_extraction.sql
\ir store/kept_summaries.sql
\ir store/keep_summary.sql
\ir store/published_hashes.sql

-- upsert: documents, chunks, entities and relations of those who bring their own extraction
\ir upsert/require_document.sql
\ir upsert/require_list.sql
\ir upsert/require_chunks.sql
\ir upsert/require_records.sql
\ir upsert/number_chunks.sql
\ir upsert/forget_chunks.sql
\ir upsert/store_chunks.sql
\ir upsert/state_relations.sql
\ir upsert/upsert_document.sql
\ir upsert/upsert_chunks.sql
\ir upsert/upsert_entities.sql
\ir upsert/upsert_relations.sql

-- interchange: whole graphs, taken in and given out
\ir interchange/begin_import.sql
\ir interchange/aliases_of_import.sql
\ir interchange/resolve_import.sql
\ir interchange/strays_of_import.sql
\ir interchange/clashes_of_import.sql
\ir interchange/oddities_of_import.sql
\ir interchange/require_importable.sql
\ir interchange/check_import.sql
\ir interchange/import_documents.sql
\ir interchange/import_aliases.sql
\ir interchange/stated_entities.sql
\ir interchange/import_entities.sql
\ir interchange/import_entity_evidence.sql
\ir interchange/stated_relations.sql
\ir interchange/import_relations.sql
\ir interchange/import_relation_evidence.sql
\ir interchange/keep_given.sql
\ir interchange/import_chunk_vectors.sql
\ir interchange/import_entity_vectors.sql
\ir interchange/import_relation_vectors.sql
\ir interchange/suspend_vector_indexes.sql
\ir interchange/build_vector_indexes.sql
\ir interchange/import_vectors.sql
\ir interchange/finish_import.sql
\ir interchange/vector_bytes.sql
\ir interchange/exported_chunk_id.sql
\ir interchange/pieces_of_entity.sql
\ir interchange/pieces_of_relation.sql
\ir interchange/export_documents.sql
\ir interchange/export_chunks.sql
\ir interchange/export_entities.sql
\ir interchange/export_relations.sql
\ir interchange/export_aliases.sql
\ir interchange/export_sleeping.sql

-- cache: kept replies, and the ledger of what models were asked
\ir cache/cached_reply.sql
\ir cache/keep_reply.sql
\ir cache/clear_cache.sql
\ir cache/record_usage.sql
\ir cache/forget.sql
\ir cache/workspace_budget.sql
\ir cache/set_workspace_budget.sql

-- views: what people watch
\ir views/document_status.sql
\ir views/workspace_stats.sql
\ir views/ingest_queue.sql
\ir views/cache_stats.sql
\ir views/usage_stats.sql
\ir views/list_documents.sql
\ir views/document_details.sql
\ir views/list_workspaces.sql
\ir views/list_entities.sql
\ir views/entity_details.sql
\ir views/relation_details.sql

-- admin: what this installation is, and whether it is sound
\ir admin/schema_version.sql
\ir admin/installation.sql
\ir admin/misunderstood_names.sql
\ir admin/unfounded_relations.sql
\ir admin/sample_of_lines.sql
\ir admin/check_installation.sql
\ir admin/repair_installation.sql
\ir stale_functions.sql
\ir grants.sql
