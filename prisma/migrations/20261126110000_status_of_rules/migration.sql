-- A version that was registered beside the active one has a status of the specification's three.
UPDATE artifact.rule SET status = 'superseded' WHERE status = 'pinned';
ALTER TABLE artifact.rule DROP CONSTRAINT rule_status_check, ADD CONSTRAINT rule_status_check CHECK (status IN ('active', 'superseded', 'deprecated'));
