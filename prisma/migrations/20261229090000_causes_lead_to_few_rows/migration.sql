-- Causal chains and lists look these columns up by hundreds of values at once. While most rows share one value (a load that was one
-- request, a run that fired thousands), ANALYZE counts so few values that a scan in the order of the answer looks cheaper
-- than the column's own index, and each value with few rows reads the table. What ANALYZE assumes instead is a tenth of
-- the rows (docs/decisions/0221-lookups-by-cause-keep-their-index.md).
ALTER TABLE metadata.provenance
  ALTER COLUMN request_id SET (n_distinct = -0.1),
  ALTER COLUMN cause SET (n_distinct = -0.1),
  ALTER COLUMN entity_id SET (n_distinct = -0.1);
ALTER TABLE metadata.entity_history ALTER COLUMN id SET (n_distinct = -0.1);
ALTER TABLE metadata.relationship
  ALTER COLUMN source_id SET (n_distinct = -0.1),
  ALTER COLUMN target_id SET (n_distinct = -0.1);
ALTER TABLE workflow.run
  ALTER COLUMN caused_by SET (n_distinct = -0.1),
  ALTER COLUMN delivery_id SET (n_distinct = -0.1);
ALTER TABLE workflow.firing ALTER COLUMN caused_by SET (n_distinct = -0.1);
ALTER TABLE workflow.received_delivery ALTER COLUMN request_id SET (n_distinct = -0.1);
ALTER TABLE artifact.production ALTER COLUMN plan_hash SET (n_distinct = -0.1);
ALTER TABLE artifact.production_cause
  ALTER COLUMN production_id SET (n_distinct = -0.1),
  ALTER COLUMN cause SET (n_distinct = -0.1);
ALTER TABLE artifact.production_resolve
  ALTER COLUMN production_id SET (n_distinct = -0.1),
  ALTER COLUMN request_id SET (n_distinct = -0.1);
ALTER TABLE artifact.production_output
  ALTER COLUMN production_id SET (n_distinct = -0.1),
  ALTER COLUMN hash SET (n_distinct = -0.1);
ALTER TABLE artifact.artifact_entity
  ALTER COLUMN production_id SET (n_distinct = -0.1),
  ALTER COLUMN hash SET (n_distinct = -0.1);
ALTER TABLE artifact.rule
  ALTER COLUMN caused_by SET (n_distinct = -0.1),
  ALTER COLUMN workflow_hash SET (n_distinct = -0.1);
-- What was counted before is replaced at once, where there is anything: a table that is analysed while it is empty is taken
-- to be empty for longer than one that never was.
DO $$
DECLARE
  counted record;
BEGIN
  FOR counted IN
    SELECT c.oid::regclass AS name, string_agg(quote_ident(a.attname), ', ') AS columns
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE a.attoptions @> ARRAY['n_distinct=-0.1'] AND c.reltuples > 0 GROUP BY c.oid
  LOOP
    EXECUTE format('ANALYZE %s (%s)', counted.name, counted.columns);
  END LOOP;
END $$;
-- A trigger may have most of all runs, or none, and its page begins with the newest: an index that has them in the order of
-- the page is cheaper than that of all runs whatever was counted.
CREATE INDEX run_trigger_name_queued_at_id_idx ON workflow.run (trigger_name, queued_at, id);
