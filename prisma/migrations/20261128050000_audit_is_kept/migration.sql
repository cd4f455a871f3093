-- Audit records are kept: what is once written is neither changed nor deleted, by servers and by mistake. Who must take old ones away
-- (a rule of retention) does so as an administrator: ALTER TABLE gateway.audit_record DISABLE TRIGGER USER; DELETE …; ENABLE ALWAYS again.
ALTER TABLE gateway.audit_record ADD COLUMN changes json;

CREATE FUNCTION gateway.audit_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit records are append-only: % refused', TG_OP USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE TRIGGER audit_record_no_update BEFORE UPDATE ON gateway.audit_record
  FOR EACH STATEMENT EXECUTE FUNCTION gateway.audit_is_append_only();
CREATE TRIGGER audit_record_no_delete BEFORE DELETE ON gateway.audit_record
  FOR EACH STATEMENT EXECUTE FUNCTION gateway.audit_is_append_only();
CREATE TRIGGER audit_record_no_truncate BEFORE TRUNCATE ON gateway.audit_record
  FOR EACH STATEMENT EXECUTE FUNCTION gateway.audit_is_append_only();
ALTER TABLE gateway.audit_record
  ENABLE ALWAYS TRIGGER audit_record_no_update,
  ENABLE ALWAYS TRIGGER audit_record_no_delete,
  ENABLE ALWAYS TRIGGER audit_record_no_truncate;
