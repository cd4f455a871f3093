-- What rows of workflow and artifact were is kept for a time (docs/decisions/0166-how-long-the-past-is-kept.md). An instant is refused
-- first; what only earlier ones need goes half an hour later, when nobody can be reading as of it any more.
ALTER TABLE workflow.past_begins ADD COLUMN moved_at timestamptz(6);
ALTER TABLE artifact.past_begins ADD COLUMN moved_at timestamptz(6);

-- Since when all rows of a kind are there; older ones may have been deleted.
CREATE TABLE workflow.kept_since (what text PRIMARY KEY, at timestamptz(6) NOT NULL);

CREATE FUNCTION workflow.forget_past_states(days integer, most integer) RETURNS integer LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  begins timestamptz;
  moved timestamptz;
  wanted timestamptz := clock_timestamp() - make_interval(days => days);
  gone integer := 0;
BEGIN
  IF days IS NULL OR days < 1 THEN
    RAISE EXCEPTION 'past states are kept for a day at least' USING ERRCODE = 'insufficient_privilege';
  END IF;
  SELECT at, moved_at INTO begins, moved FROM workflow.past_begins FOR UPDATE;
  IF moved > clock_timestamp() - interval '30 minutes' THEN
    RETURN 0;
  END IF;
  DELETE FROM workflow.past_state s USING (
    SELECT o.relation, o.key, o.until, o.id FROM workflow.past_state o WHERE o.relation = ANY('{run,trigger,trigger_pause}') AND o.until <= begins LIMIT most) old
  WHERE (s.relation, s.key, s.until, s.id) = (old.relation, old.key, old.until, old.id);
  GET DIAGNOSTICS gone = ROW_COUNT;
  IF gone < most AND EXISTS (SELECT FROM workflow.past_state s WHERE s.relation = ANY('{run,trigger,trigger_pause}') AND s.until <= wanted) THEN
    UPDATE workflow.past_begins SET at = greatest(at, wanted), moved_at = clock_timestamp();
  END IF;
  RETURN gone;
END $$;
REVOKE EXECUTE ON FUNCTION workflow.forget_past_states(integer, integer) FROM PUBLIC;
CREATE FUNCTION artifact.forget_past_states(days integer, most integer) RETURNS integer LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  begins timestamptz;
  moved timestamptz;
  wanted timestamptz := clock_timestamp() - make_interval(days => days);
  gone integer := 0;
BEGIN
  IF days IS NULL OR days < 1 THEN
    RAISE EXCEPTION 'past states are kept for a day at least' USING ERRCODE = 'insufficient_privilege';
  END IF;
  SELECT at, moved_at INTO begins, moved FROM artifact.past_begins FOR UPDATE;
  IF moved > clock_timestamp() - interval '30 minutes' THEN
    RETURN 0;
  END IF;
  DELETE FROM artifact.past_state s USING (
    SELECT o.relation, o.key, o.until, o.id FROM artifact.past_state o WHERE o.relation = ANY('{rule,production,production_waiter,not_reusable,entity_identity}') AND o.until <= begins LIMIT most) old
  WHERE (s.relation, s.key, s.until, s.id) = (old.relation, old.key, old.until, old.id);
  GET DIAGNOSTICS gone = ROW_COUNT;
  IF gone < most AND EXISTS (SELECT FROM artifact.past_state s WHERE s.relation = ANY('{rule,production,production_waiter,not_reusable,entity_identity}') AND s.until <= wanted) THEN
    UPDATE artifact.past_begins SET at = greatest(at, wanted), moved_at = clock_timestamp();
  END IF;
  RETURN gone;
END $$;
REVOKE EXECUTE ON FUNCTION artifact.forget_past_states(integer, integer) FROM PUBLIC;
DO $$ BEGIN
  -- where migrations are compared with the schema there are no roles
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'cairn_app') THEN
    GRANT EXECUTE ON FUNCTION workflow.forget_past_states(integer, integer), artifact.forget_past_states(integer, integer) TO cairn_app;
  END IF;
END $$;
