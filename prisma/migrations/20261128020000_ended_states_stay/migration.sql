-- States that have ended are what events that keep only changes are told by: like the log, they are added to and never changed.
CREATE FUNCTION metadata.ended_states_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'states that have ended are kept as they were: % refused', TG_OP USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER entity_history_no_update BEFORE UPDATE ON metadata.entity_history FOR EACH STATEMENT EXECUTE FUNCTION metadata.ended_states_stay();
CREATE TRIGGER entity_history_no_delete BEFORE DELETE ON metadata.entity_history FOR EACH STATEMENT EXECUTE FUNCTION metadata.ended_states_stay();
CREATE TRIGGER entity_history_no_truncate BEFORE TRUNCATE ON metadata.entity_history FOR EACH STATEMENT EXECUTE FUNCTION metadata.ended_states_stay();
ALTER TABLE metadata.entity_history
  ENABLE ALWAYS TRIGGER entity_history_no_update,
  ENABLE ALWAYS TRIGGER entity_history_no_delete,
  ENABLE ALWAYS TRIGGER entity_history_no_truncate;
