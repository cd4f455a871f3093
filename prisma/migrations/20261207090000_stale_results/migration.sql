-- Which results are stale, for lists and triggers (docs/decisions/0163-stale-results-are-marked.md). Whoever looks follows
-- what has changed since somebody looked last.

-- How far the changes of entities were looked at, by their types: the time of the last one. Whoever writes marks locks it.
-- Everything that had changed until the other time was looked at.
CREATE TABLE artifact.staleness_basis (
  id integer PRIMARY KEY CHECK (id = 1),
  positions jsonb NOT NULL DEFAULT '{}',
  complete_at timestamptz(6)
);
INSERT INTO artifact.staleness_basis (id) VALUES (1);

-- Times grow in the order in which results became stale, as others see it, and are different.
CREATE TABLE artifact.stale_result (
  entity_id text PRIMARY KEY,
  entity_type text NOT NULL,
  production_id text NOT NULL,
  since timestamptz(6) NOT NULL
);
CREATE UNIQUE INDEX stale_result_since_key ON artifact.stale_result (since);
CREATE INDEX stale_result_entity_type_since_idx ON artifact.stale_result (entity_type, since);
CREATE INDEX stale_result_production_id_idx ON artifact.stale_result (production_id);

-- What must be compared again. The stamp is another one whenever it becomes due again.
CREATE TABLE artifact.staleness_due (
  kind text NOT NULL CHECK (kind IN ('production', 'rule')),
  id text NOT NULL,
  is_new boolean NOT NULL DEFAULT false,
  stamp uuid NOT NULL DEFAULT gen_random_uuid(),
  since timestamptz(6) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (kind, id)
);
CREATE INDEX staleness_due_since_kind_id_idx ON artifact.staleness_due (since, kind, id);

-- Whether versions of rules differ from what is active, as was found last: only where that changes are their productions due.
CREATE TABLE artifact.rule_staleness (
  rule text NOT NULL,
  entity_type text NOT NULL,
  is_changed boolean NOT NULL,
  PRIMARY KEY (rule, entity_type)
);

CREATE INDEX production_requires_idx ON artifact.production USING gin (jsonb_path_query_array(plan, '$.requires[*].entity_id'))
  WHERE status = 'completed' AND runner IS NOT NULL;
CREATE INDEX production_rule_entity_type_idx ON artifact.production (rule, entity_type)
  WHERE status = 'completed' AND runner IS NOT NULL;

-- By triggers, so that processes of the version before tell of their productions and rules too.
CREATE FUNCTION artifact.production_is_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO artifact.staleness_due (kind, id, is_new) VALUES ('production', NEW.id, true)
  ON CONFLICT (kind, id) DO UPDATE SET is_new = true, stamp = gen_random_uuid();
  RETURN NULL;
END $$;
CREATE TRIGGER production_is_due AFTER INSERT OR UPDATE OF status ON artifact.production FOR EACH ROW
  WHEN (NEW.status = 'completed' AND NEW.runner IS NOT NULL) EXECUTE FUNCTION artifact.production_is_due();

CREATE FUNCTION artifact.rule_is_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO artifact.staleness_due (kind, id) VALUES ('rule', NEW.name)
  ON CONFLICT (kind, id) DO UPDATE SET stamp = gen_random_uuid();
  RETURN NULL;
END $$;
CREATE TRIGGER rule_is_due AFTER INSERT OR UPDATE ON artifact.rule FOR EACH ROW EXECUTE FUNCTION artifact.rule_is_due();

INSERT INTO artifact.staleness_due (kind, id) SELECT DISTINCT 'rule', name FROM artifact.rule;
INSERT INTO artifact.staleness_due (kind, id) SELECT 'production', id FROM artifact.production
  WHERE status = 'completed' AND runner IS NOT NULL;
