-- Whose rights a run acts with, at most: the submitter's, or what its trigger is configured with. Projects null: all. Runs of before acted in all projects,
-- so that they are for those who are in all.
ALTER TABLE workflow.run ADD COLUMN acts_roles      text[] NOT NULL DEFAULT '{service}';
ALTER TABLE workflow.run ADD COLUMN acts_projects   text[];
ALTER TABLE workflow.run ADD COLUMN acts_credential text;

-- Interrupted runs wait here for their next attempt.
ALTER TABLE workflow.run ADD COLUMN attempt    integer NOT NULL DEFAULT 1;
ALTER TABLE workflow.run ADD COLUMN not_before timestamptz;

-- Deliveries whose run has failed are found by it.
ALTER TABLE workflow.run ADD COLUMN delivery_id text;
CREATE INDEX run_delivery_id_idx ON workflow.run (delivery_id, queued_at) WHERE delivery_id IS NOT NULL;

-- What keeps a trigger from its work, until it does it again.
ALTER TABLE workflow.trigger ADD COLUMN problem       text;
ALTER TABLE workflow.trigger ADD COLUMN problem_since timestamptz;
