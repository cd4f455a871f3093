-- How many runs of a trigger have failed in a row, and why the last one did.
ALTER TABLE workflow.trigger ADD COLUMN failures integer NOT NULL DEFAULT 0, ADD COLUMN last_error text;

-- What is in the artifact store, as changes of the totals: whoever stores or evicts adds a row and waits for nobody,
-- whoever reads adds them up.
CREATE TABLE artifact.store_total (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  files bigint NOT NULL,
  bytes bigint NOT NULL
);

CREATE FUNCTION artifact.count_stored() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  before bigint := CASE WHEN TG_OP <> 'INSERT' AND OLD.evicted_at IS NULL THEN OLD.size END;
  after bigint := CASE WHEN TG_OP <> 'DELETE' AND NEW.evicted_at IS NULL THEN NEW.size END;
BEGIN
  IF before IS DISTINCT FROM after THEN
    INSERT INTO artifact.store_total (files, bytes)
    VALUES ((after IS NOT NULL)::int - (before IS NOT NULL)::int, coalesce(after, 0) - coalesce(before, 0));
  END IF;
  RETURN NULL;
END
$$;

LOCK TABLE artifact.stored_object IN SHARE ROW EXCLUSIVE MODE;
CREATE TRIGGER stored_object_counted AFTER INSERT OR UPDATE OF size, evicted_at OR DELETE ON artifact.stored_object
FOR EACH ROW EXECUTE FUNCTION artifact.count_stored();
INSERT INTO artifact.store_total (files, bytes)
SELECT count(*), coalesce(sum(size), 0) FROM artifact.stored_object WHERE evicted_at IS NULL;

-- The processes of the deployment, and what each measured of itself and of the database, oldest first.
CREATE TABLE gateway.process (
  id uuid PRIMARY KEY,
  host text NOT NULL,
  pid integer NOT NULL,
  version text NOT NULL,
  started_at timestamptz(6) NOT NULL,
  seen_at timestamptz(6) NOT NULL
);

CREATE TABLE gateway.metric_sample (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz(6) NOT NULL,
  process_id uuid NOT NULL,
  readings jsonb NOT NULL
);
CREATE INDEX metric_sample_at_idx ON gateway.metric_sample (at);
