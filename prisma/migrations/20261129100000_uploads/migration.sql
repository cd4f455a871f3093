-- Uploads under way, which any process of the server can go on with. What has been received is in files, listed in upload_part.
CREATE TABLE artifact.upload (
  id            text        PRIMARY KEY,
  actor         text        NOT NULL,
  length        bigint,                             -- null until it is known
  received      bigint      NOT NULL DEFAULT 0,     -- bytes that are kept
  expected_hash text,
  name          text,
  media_type    text,
  entity_id     text,
  field         text,
  context       text,
  metadata      text,                               -- Upload-Metadata, verbatim
  holder        text,                               -- the request that writes; whoever claims it next ends the one before
  created_at    timestamptz NOT NULL DEFAULT now(),
  touched_at    timestamptz NOT NULL DEFAULT now(),
  expires_at    timestamptz NOT NULL,
  hash          text,                               -- of the whole, once it is known
  finished_at   timestamptz,
  fault         text,                               -- why the content was refused
  CHECK (received >= 0 AND (length IS NULL OR received <= length)),
  CHECK ((entity_id IS NULL) = (field IS NULL))
);
CREATE INDEX upload_actor_created_at_idx ON artifact.upload (actor, created_at);
CREATE INDEX upload_expires_at_idx ON artifact.upload (expires_at);

CREATE TABLE artifact.upload_part (
  upload_id text   NOT NULL REFERENCES artifact.upload (id) ON DELETE CASCADE,
  start     bigint NOT NULL,
  length    bigint NOT NULL,
  file      text   NOT NULL,
  PRIMARY KEY (upload_id, start)
);

-- Who has uploaded which content: they may read and attach it until it expires, and it is not evicted before.
CREATE TABLE artifact.uploaded_file (
  hash        text        NOT NULL REFERENCES artifact.stored_object (hash),
  actor       text        NOT NULL,
  name        text,
  uploaded_at timestamptz NOT NULL DEFAULT now(),
  expires_at  timestamptz NOT NULL,
  PRIMARY KEY (hash, actor)
);
CREATE INDEX uploaded_file_actor_uploaded_at_idx ON artifact.uploaded_file (actor, uploaded_at);
CREATE INDEX uploaded_file_expires_at_idx ON artifact.uploaded_file (expires_at);

-- Files that somebody has attached cannot be made again. The version of the entity that they were attached with orders concurrent attachments.
ALTER TABLE artifact.artifact_entity ADD COLUMN uploaded_by text, ADD COLUMN entity_version integer;
