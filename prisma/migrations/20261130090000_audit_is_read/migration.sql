-- Administrators read audit records: the newest first, by their time, of an actor or a request, and those that changed something.
DROP INDEX gateway.audit_record_timestamp_idx;
CREATE INDEX audit_record_timestamp_id_idx ON gateway.audit_record (timestamp, id);
CREATE INDEX audit_record_actor_timestamp_id_idx ON gateway.audit_record (actor, timestamp, id);
CREATE INDEX audit_record_request_id_idx ON gateway.audit_record (request_id);
CREATE INDEX audit_record_changes_idx ON gateway.audit_record (timestamp, id) WHERE changes IS NOT NULL;
