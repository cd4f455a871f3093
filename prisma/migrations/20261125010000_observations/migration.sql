-- Why a trigger fired or did not: every tick, delivery, entity, event and request that it looked at, with its verdict.
CREATE TABLE workflow.observation (
  id           bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  trigger_name text        NOT NULL,
  kind         text        NOT NULL,
  verdict      text        NOT NULL,
  reason       text,
  subject      jsonb       NOT NULL,
  seen         jsonb       NOT NULL DEFAULT '{}',
  run_id       text,
  project      text,
  delivery_id  text,
  -- what can be sent by anybody is counted, not listed: one row for each of these
  bucket       text,
  times        integer     NOT NULL DEFAULT 1,
  at           timestamptz NOT NULL DEFAULT clock_timestamp(),
  UNIQUE (trigger_name, bucket)
);
CREATE INDEX observation_trigger_name_id_idx ON workflow.observation (trigger_name, id DESC);
CREATE INDEX observation_at_idx ON workflow.observation (at);

-- Signed deliveries as they came, to be evaluated again and delivered again.
CREATE TABLE workflow.received_delivery (
  id           text        PRIMARY KEY,
  trigger_name text        NOT NULL,
  body         bytea       NOT NULL,
  received_at  timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX received_delivery_trigger_name_idx ON workflow.received_delivery (trigger_name, received_at DESC, id DESC);
CREATE INDEX received_delivery_received_at_idx ON workflow.received_delivery (received_at);

-- Tells those who follow a run that it has come further.
CREATE FUNCTION workflow.tell_progress() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('workflow_progress', NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER run_progress AFTER UPDATE ON workflow.run FOR EACH ROW
  WHEN ((OLD.status, OLD.records_fetched, OLD.records_created, OLD.records_updated, OLD.records_skipped, OLD.records_failed)
        IS DISTINCT FROM (NEW.status, NEW.records_fetched, NEW.records_created, NEW.records_updated, NEW.records_skipped, NEW.records_failed))
  EXECUTE FUNCTION workflow.tell_progress();
CREATE INDEX run_finished_at_idx ON workflow.run (finished_at) WHERE finished_at IS NOT NULL;
