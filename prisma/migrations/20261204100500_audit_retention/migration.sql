-- Old audit records go where a retention period is configured. Servers still delete none: they ask for what is older
-- than a number of days, and the database keeps the latest 30 days against everybody who can only ask.
CREATE OR REPLACE FUNCTION gateway.audit_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_user = 'cairn_owner' AND current_setting('cairn.audit_retention', true) = 'on' THEN
    RETURN NULL;
  END IF;
  RAISE EXCEPTION 'audit records are append-only: % refused', TG_OP USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE FUNCTION gateway.forget_audit_records(days integer, most integer) RETURNS integer LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  gone integer;
BEGIN
  IF days IS NULL OR days < 30 THEN
    RAISE EXCEPTION 'audit records are kept for 30 days at least' USING ERRCODE = 'insufficient_privilege';
  END IF;
  PERFORM set_config('cairn.audit_retention', 'on', true);
  DELETE FROM gateway.audit_record WHERE id IN (
    SELECT id FROM gateway.audit_record WHERE timestamp < clock_timestamp() - make_interval(days => days)
    ORDER BY timestamp, id LIMIT most FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS gone = ROW_COUNT;
  PERFORM set_config('cairn.audit_retention', 'off', true);
  RETURN gone;
END $$;
REVOKE EXECUTE ON FUNCTION gateway.forget_audit_records(integer, integer) FROM PUBLIC;
-- Here, and not among the rights of every boot: a backup of an older version is restored by migrations without this one.
DO $$ BEGIN
  -- where migrations are compared with the schema there are no roles
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'cairn_app') THEN
    GRANT EXECUTE ON FUNCTION gateway.forget_audit_records(integer, integer) TO cairn_app;
  END IF;
END $$;
