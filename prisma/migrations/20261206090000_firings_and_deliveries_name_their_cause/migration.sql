-- More of what caused what (docs/reference/metadata.md#why). What was there before has none of it.

-- The request that queued a run, that sent a delivery, that asked for a production first.
ALTER TABLE workflow.run ADD COLUMN request_id uuid;
ALTER TABLE workflow.received_delivery ADD COLUMN request_id uuid;
CREATE INDEX received_delivery_request_id_idx ON workflow.received_delivery (request_id) WHERE request_id IS NOT NULL;
ALTER TABLE artifact.production ADD COLUMN request_id uuid;

-- The event that a poll has found, and the cursor from which it had read.
ALTER TABLE workflow.firing ADD COLUMN caused_by text;
ALTER TABLE workflow.firing ADD COLUMN cursor timestamptz(6);
CREATE INDEX firing_caused_by_idx ON workflow.firing (caused_by) WHERE caused_by IS NOT NULL;

-- The plan that was asked for, by its hash.
ALTER TABLE artifact.production ADD COLUMN plan_hash text;
CREATE INDEX production_plan_hash_idx ON artifact.production (plan_hash) WHERE plan_hash IS NOT NULL;

-- The request, run or production that registered a version of a rule; rules by their workflows, and those by documents.
ALTER TABLE artifact.rule ADD COLUMN caused_by text;
CREATE INDEX rule_caused_by_idx ON artifact.rule (caused_by) WHERE caused_by IS NOT NULL;
CREATE INDEX rule_workflow_hash_idx ON artifact.rule (workflow_hash) WHERE workflow_hash IS NOT NULL;
CREATE INDEX workflow_documents_idx ON artifact.workflow USING gin (documents jsonb_path_ops);
