-- The first state of all four schemas. Only SQL that PostgreSQL 15 understands.
-- Runs as the role that owns everything; who may do what is granted after it (platform/database/roles.ts).

CREATE SCHEMA gateway;
CREATE SCHEMA metadata;
CREATE SCHEMA workflow;
CREATE SCHEMA artifact;

-- ===================================================================================================== metadata

CREATE TABLE metadata.schema_revision (
  revision      integer PRIMARY KEY,
  name          text    NOT NULL,
  version       text    NOT NULL,
  definition    json    NOT NULL,
  created_event bigint  NOT NULL
);
CREATE UNIQUE INDEX schema_revision_name_revision_key ON metadata.schema_revision (name, revision DESC);

-- Every writer comes through this lock first, so positions are in commit order. Held until the transaction ends.
-- Answers the deployment's schema revision as it is now that the lock is held.
CREATE FUNCTION metadata.open_log() RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM pg_catalog.pg_advisory_xact_lock(4847307193528361);
  RETURN (SELECT coalesce(max(revision), 0) FROM metadata.schema_revision);
END $$;

-- Microseconds since 1970 of the last event.
CREATE SEQUENCE metadata.event_clock AS bigint MINVALUE 0 START 0;

-- The time of the next event: now, but always after the last one. With its owner's rights, because nobody else may set the clock;
-- takes the lock itself, so that a call beside an insert cannot disturb it. Assignments rather than queries: several times faster.
CREATE FUNCTION metadata.event_time() RETURNS timestamptz LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  locked text := pg_advisory_xact_lock(4847307193528361);
  tick bigint := greatest((extract(epoch FROM clock_timestamp()) * 1000000)::bigint, pg_sequence_last_value('metadata.event_clock') + 1);
BEGIN
  RETURN timestamptz 'epoch' + setval('metadata.event_clock', tick) * interval '1 microsecond';
END $$;

CREATE TABLE metadata.provenance (
  position       bigint      PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  id             uuid        NOT NULL DEFAULT gen_random_uuid(),
  event_type     text        NOT NULL CHECK (event_type IN (
                   'EntityCreated', 'EntityUpdated', 'AvailabilityChanged', 'EntitySuperseded', 'RelationshipCreated',
                   'RelationshipRemoved', 'ExternalIdAdded', 'ExternalIdSuperseded', 'MigrationApplied', 'ReferenceDataInstalled')),
  entity_id      text,
  entity_type    text,
  actor          text        NOT NULL,
  timestamp      timestamptz NOT NULL DEFAULT metadata.event_time(),
  schema_version text        NOT NULL,
  context        json,
  payload        json        NOT NULL,
  CONSTRAINT provenance_subject_check CHECK (
    CASE WHEN event_type IN ('MigrationApplied', 'ReferenceDataInstalled')
      THEN entity_id IS NULL AND entity_type IS NULL
      ELSE entity_id IS NOT NULL AND entity_type IS NOT NULL
    END)
);
CREATE INDEX provenance_entity_id_position_idx ON metadata.provenance (entity_id, position) WHERE entity_id IS NOT NULL;
CREATE UNIQUE INDEX provenance_timestamp_key ON metadata.provenance (timestamp);

CREATE FUNCTION metadata.provenance_is_written_in_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM metadata.open_log();
  RETURN NULL;
END $$;

CREATE FUNCTION metadata.provenance_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'provenance is append-only: % refused', TG_OP USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE TRIGGER provenance_in_order BEFORE INSERT ON metadata.provenance
  FOR EACH STATEMENT EXECUTE FUNCTION metadata.provenance_is_written_in_order();
CREATE TRIGGER provenance_no_update BEFORE UPDATE ON metadata.provenance
  FOR EACH STATEMENT EXECUTE FUNCTION metadata.provenance_is_append_only();
CREATE TRIGGER provenance_no_delete BEFORE DELETE ON metadata.provenance
  FOR EACH STATEMENT EXECUTE FUNCTION metadata.provenance_is_append_only();
CREATE TRIGGER provenance_no_truncate BEFORE TRUNCATE ON metadata.provenance
  FOR EACH STATEMENT EXECUTE FUNCTION metadata.provenance_is_append_only();
ALTER TABLE metadata.provenance
  ENABLE ALWAYS TRIGGER provenance_in_order,
  ENABLE ALWAYS TRIGGER provenance_no_update,
  ENABLE ALWAYS TRIGGER provenance_no_delete,
  ENABLE ALWAYS TRIGGER provenance_no_truncate;

-- first_event and last_event are positions in provenance: created_at and updated_at are read there.
CREATE TABLE metadata.entity (
  id           text     PRIMARY KEY CHECK (char_length(id) BETWEEN 1 AND 200),
  entity_type  text     NOT NULL,
  data         jsonb    NOT NULL CHECK (jsonb_typeof(data) = 'object'),
  version      integer  NOT NULL DEFAULT 1,
  is_available boolean  NOT NULL DEFAULT true,
  project      text,
  first_event  bigint   NOT NULL,
  last_event   bigint   NOT NULL,
  search       tsvector NOT NULL DEFAULT ''::tsvector
);
CREATE UNIQUE INDEX entity_first_event_key ON metadata.entity (first_event);
CREATE INDEX entity_entity_type_first_event_idx ON metadata.entity (entity_type, first_event);
CREATE INDEX entity_entity_type_last_event_idx ON metadata.entity (entity_type, last_event);
CREATE INDEX entity_data_idx ON metadata.entity USING gin (data jsonb_path_ops);
CREATE INDEX entity_search_idx ON metadata.entity USING gin (search);

-- A closed state of an entity: valid for the positions p with from_event <= p < to_event.
CREATE TABLE metadata.entity_history (
  id           text    NOT NULL,
  entity_type  text    NOT NULL,
  data         jsonb   NOT NULL,
  version      integer NOT NULL,
  is_available boolean NOT NULL,
  project      text,
  first_event  bigint  NOT NULL,
  from_event   bigint  NOT NULL,
  to_event     bigint  NOT NULL,
  PRIMARY KEY (id, to_event)
);
CREATE INDEX entity_history_entity_type_first_event_to_event_idx ON metadata.entity_history (entity_type, first_event, to_event);

CREATE TABLE metadata.relationship (
  source_id         text   NOT NULL,
  target_id         text   NOT NULL,
  relationship_type text   NOT NULL,
  metadata          jsonb,
  created_by        text   NOT NULL,
  created_event     bigint NOT NULL,
  removed_event     bigint,
  PRIMARY KEY (source_id, relationship_type, target_id, created_event)
);
CREATE UNIQUE INDEX relationship_active_key ON metadata.relationship (source_id, target_id, relationship_type) WHERE removed_event IS NULL;
CREATE INDEX relationship_target_id_relationship_type_idx ON metadata.relationship (target_id, relationship_type);

CREATE TABLE metadata.external_id (
  id               uuid   PRIMARY KEY,
  entity_id        text   NOT NULL,
  id_type          text   NOT NULL,
  external_id      text   NOT NULL,
  created_event    bigint NOT NULL,
  superseded_event bigint,
  superseded_by    uuid
);
CREATE UNIQUE INDEX external_id_active_key ON metadata.external_id (id_type, external_id) WHERE superseded_event IS NULL;
CREATE INDEX external_id_entity_id_idx ON metadata.external_id (entity_id);

CREATE TABLE metadata.unique_value (
  scope_type text  NOT NULL,
  field      text  NOT NULL,
  value_hash bytea NOT NULL,
  entity_id  text  NOT NULL,
  PRIMARY KEY (scope_type, field, value_hash)
);
CREATE INDEX unique_value_entity_id_idx ON metadata.unique_value (entity_id);

-- Kept in the write's own transaction; project '' counts what all projects share.
CREATE TABLE metadata.entity_count (
  entity_type  text    NOT NULL,
  project      text    NOT NULL DEFAULT '',
  is_available boolean NOT NULL,
  n            bigint  NOT NULL,
  PRIMARY KEY (entity_type, project, is_available)
);

-- ====================================================================================================== gateway

-- A key acts as its owner; of the secret only the SHA-256 is kept.
CREATE TABLE gateway.api_key (
  id            text        PRIMARY KEY,
  label         text        NOT NULL,
  role          text        NOT NULL CHECK (role IN ('viewer', 'analyst', 'project_lead', 'admin', 'service')),
  project       text,
  secret_hash   bytea       NOT NULL,
  owner         text        NOT NULL,
  created_by    text        NOT NULL,
  created_at    timestamptz NOT NULL DEFAULT now(),
  expires_at    timestamptz,
  last_used_at  timestamptz,
  revoked_at    timestamptz,
  revoked_by    text,
  revoke_reason text,
  rotated_from  text
);
CREATE UNIQUE INDEX api_key_secret_hash_key ON gateway.api_key (secret_hash);

CREATE TABLE gateway.audit_record (
  id             bigint           PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  timestamp      timestamptz      NOT NULL,
  request_id     uuid             NOT NULL,
  actor          text             NOT NULL,
  method         text             NOT NULL,
  path           text             NOT NULL,
  status         integer          NOT NULL,
  latency_ms     double precision NOT NULL,
  ip             text             NOT NULL,
  operation_name text
);
CREATE INDEX audit_record_timestamp_idx ON gateway.audit_record (timestamp);

CREATE TABLE gateway.sync_event (
  id          text        PRIMARY KEY,
  event_type  text        NOT NULL,
  source      text        NOT NULL,
  source_id   text        NOT NULL,
  actor       text        NOT NULL,
  details     jsonb       NOT NULL,
  dedupe_key  text        NOT NULL,
  created_at  timestamptz NOT NULL DEFAULT now(),
  resolved_at timestamptz,
  resolved_by text,
  note        text
);
CREATE UNIQUE INDEX sync_event_unresolved_key ON gateway.sync_event (dedupe_key) WHERE resolved_at IS NULL;

CREATE TABLE gateway.consistency_scan (
  id          text        PRIMARY KEY,
  status      text        NOT NULL CHECK (status IN ('started', 'completed', 'failed')),
  started_at  timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz,
  checked     integer     NOT NULL DEFAULT 0,
  mismatches  integer     NOT NULL DEFAULT 0,
  error       text
);
CREATE UNIQUE INDEX consistency_scan_started_key ON gateway.consistency_scan (status) WHERE status = 'started';

CREATE TABLE gateway.signing_key (
  kid         text        PRIMARY KEY,
  public_jwk  jsonb       NOT NULL,
  private_jwk jsonb       NOT NULL,
  created_at  timestamptz NOT NULL DEFAULT now(),
  retires_at  timestamptz
);

CREATE TABLE gateway.gateway_user (
  name          text        PRIMARY KEY,
  password_hash text        NOT NULL,
  roles         text[]      NOT NULL,
  projects      text[]      NOT NULL DEFAULT '{}',
  all_projects  boolean     NOT NULL DEFAULT false,
  disabled_at   timestamptz,
  created_at    timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE gateway.token_family (
  id         uuid PRIMARY KEY,
  actor      text NOT NULL,
  client_id  text NOT NULL,
  revoked_at timestamptz
);

-- In this and the next two tables, projects null means all projects.
CREATE TABLE gateway.refresh_token (
  hash        bytea       PRIMARY KEY,
  family_id   uuid        NOT NULL,
  generation  integer     NOT NULL,
  client_id   text        NOT NULL,
  actor       text        NOT NULL,
  roles       text[]      NOT NULL,
  projects    text[],
  issued_at   timestamptz NOT NULL DEFAULT now(),
  expires_at  timestamptz NOT NULL,
  consumed_at timestamptz,
  revoked_at  timestamptz
);
CREATE INDEX refresh_token_family_id_idx ON gateway.refresh_token (family_id);

CREATE TABLE gateway.revoked_jti (
  jti        text        PRIMARY KEY,
  expires_at timestamptz NOT NULL
);

CREATE TABLE gateway.device_code (
  hash             bytea       PRIMARY KEY,
  user_code        text        NOT NULL,
  client_id        text        NOT NULL,
  interval_seconds integer     NOT NULL,
  last_polled_at   timestamptz,
  status           text        NOT NULL CHECK (status IN ('pending', 'approved', 'denied', 'redeemed')),
  actor            text,
  roles            text[],
  projects         text[],
  created_at       timestamptz NOT NULL DEFAULT now(),
  expires_at       timestamptz NOT NULL
);
CREATE UNIQUE INDEX device_code_user_code_key ON gateway.device_code (user_code);

CREATE TABLE gateway.authorization_code (
  hash           bytea       PRIMARY KEY,
  client_id      text        NOT NULL,
  redirect_uri   text        NOT NULL,
  code_challenge text        NOT NULL,
  actor          text        NOT NULL,
  roles          text[]      NOT NULL,
  projects       text[],
  family_id      uuid,
  expires_at     timestamptz NOT NULL,
  consumed_at    timestamptz
);

-- ===================================================================================================== workflow

CREATE TABLE workflow.trigger (
  name        text        PRIMARY KEY,
  type        text        NOT NULL,
  definition  jsonb       NOT NULL,
  status      text        NOT NULL,
  last_run_at timestamptz,
  last_result text,
  updated_at  timestamptz NOT NULL DEFAULT now()
);

-- produced: what the run declared, a list of {entity_type, external_id | entity_id}. fence rises with every lease.
CREATE TABLE workflow.run (
  id               text        PRIMARY KEY,
  trigger_name     text,
  trigger_type     text,
  adapter          text,
  action           jsonb       NOT NULL,
  cause            jsonb       NOT NULL,
  status           text        NOT NULL CHECK (status IN ('queued', 'running', 'success', 'partial_success', 'failed', 'skipped')),
  queued_at        timestamptz NOT NULL DEFAULT now(),
  started_at       timestamptz,
  finished_at      timestamptz,
  records_fetched  integer     NOT NULL DEFAULT 0,
  records_created  integer     NOT NULL DEFAULT 0,
  records_updated  integer     NOT NULL DEFAULT 0,
  records_skipped  integer     NOT NULL DEFAULT 0,
  records_failed   integer     NOT NULL DEFAULT 0,
  errors           jsonb       NOT NULL DEFAULT '[]',
  unresolved       jsonb       NOT NULL DEFAULT '[]',
  produced         jsonb       NOT NULL DEFAULT '[]',
  actor            text        NOT NULL,
  project          text,
  lease_owner      text,
  lease_expires_at timestamptz,
  fence            bigint      NOT NULL DEFAULT 0
);
CREATE INDEX run_trigger_name_queued_at_idx ON workflow.run (trigger_name, queued_at);
CREATE INDEX run_queued_at_idx ON workflow.run (queued_at);
CREATE INDEX run_status_idx ON workflow.run (status);

CREATE TABLE workflow.run_entity (
  run_id    text NOT NULL,
  entity_id text NOT NULL,
  PRIMARY KEY (run_id, entity_id)
);
CREATE INDEX run_entity_entity_id_idx ON workflow.run_entity (entity_id);

-- What must fire once: its key is taken in the transaction that queues the run.
CREATE TABLE workflow.firing (
  trigger_name text        NOT NULL,
  firing_key   text        NOT NULL,
  run_id       text        NOT NULL,
  fired_at     timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (trigger_name, firing_key)
);

-- ===================================================================================================== artifact

CREATE TABLE artifact.rule (
  name             text        NOT NULL,
  version          integer     NOT NULL,
  definition       jsonb       NOT NULL,
  status           text        NOT NULL CHECK (status IN ('active', 'superseded', 'deprecated', 'pinned')),
  scope            text        NOT NULL DEFAULT 'global',
  description      text,
  tags             text[]      NOT NULL DEFAULT '{}',
  cwl_hash         text        NOT NULL,
  cwl_url          text,
  previous_version integer,
  deprecation_note text,
  registered_by    text        NOT NULL,
  registered_at    timestamptz NOT NULL DEFAULT now(),
  is_static        boolean     NOT NULL DEFAULT false,
  PRIMARY KEY (name, version)
);
CREATE UNIQUE INDEX rule_active_key ON artifact.rule (name) WHERE status = 'active';

CREATE TABLE artifact.cwl_document (
  hash       text        PRIMARY KEY,
  content    text        NOT NULL,
  parsed     jsonb       NOT NULL,
  fetched_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE artifact.production (
  id               text        PRIMARY KEY,
  entity_type      text        NOT NULL,
  criteria         jsonb       NOT NULL,
  rule             text,
  status           text        NOT NULL CHECK (status IN ('queued', 'running', 'completed', 'failed', 'cancelled')),
  request_key      text        NOT NULL,
  plan             jsonb       NOT NULL,
  entity_ids       text[]      NOT NULL DEFAULT '{}',
  error            jsonb,
  requested_by     text        NOT NULL,
  requested_at     timestamptz NOT NULL DEFAULT now(),
  started_at       timestamptz,
  finished_at      timestamptz,
  lease_owner      text,
  lease_expires_at timestamptz,
  fence            bigint      NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX production_open_key ON artifact.production (request_key) WHERE status IN ('queued', 'running');

CREATE TABLE artifact.stored_object (
  hash         text        PRIMARY KEY,
  size         bigint      NOT NULL,
  media_type   text,
  created_at   timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz NOT NULL DEFAULT now(),
  evicted_at   timestamptz
);

CREATE TABLE artifact.artifact_entity (
  entity_id     text NOT NULL,
  hash          text NOT NULL,
  field         text NOT NULL,
  production_id text,
  PRIMARY KEY (entity_id, field)
);
CREATE INDEX artifact_entity_hash_idx ON artifact.artifact_entity (hash);
