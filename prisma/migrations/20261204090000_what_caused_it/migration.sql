-- What caused what (docs/reference/metadata.md#why): `kind:id`, of the run or production on whose behalf something was
-- done. What was there before has none.
ALTER TABLE metadata.provenance ADD COLUMN cause text;
CREATE INDEX provenance_request_id_idx ON metadata.provenance (request_id) WHERE request_id IS NOT NULL;
CREATE INDEX provenance_cause_idx ON metadata.provenance (cause) WHERE cause IS NOT NULL;

ALTER TABLE gateway.audit_record ADD COLUMN cause text;

-- The request, run, tick or version of an entity that a run was fired by.
ALTER TABLE workflow.run ADD COLUMN caused_by text;
CREATE INDEX run_caused_by_idx ON workflow.run (caused_by) WHERE caused_by IS NOT NULL;

-- Who asked for a production, several if it was joined, and what it was made with.
CREATE TABLE artifact.production_cause (
  production_id text NOT NULL,
  cause text NOT NULL,
  role text NOT NULL CHECK (role IN ('asked', 'rule', 'input')),
  at timestamptz(6) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (production_id, cause)
);
CREATE INDEX production_cause_cause_production_id_idx ON artifact.production_cause (cause, production_id);
CREATE INDEX artifact_entity_production_id_idx ON artifact.artifact_entity (production_id) WHERE production_id IS NOT NULL;
