-- Files that are being attached: recorded before their entity is written, and removed with the record that it holds the file. What a killed
-- process leaves here is brought to its end by another one, and the content is not removed before.
CREATE TABLE artifact.attachment_under_way (
  id           text        PRIMARY KEY,
  entity_id    text        NOT NULL,
  entity_type  text        NOT NULL,
  field        text        NOT NULL,
  hash         text        NOT NULL REFERENCES artifact.stored_object (hash),
  name         text,
  uploaded_by  text        NOT NULL,
  from_version integer     NOT NULL,                -- the version of the entity that is written at
  given_in     text,                                -- the project of the entity: '' for none
  began_at     timestamptz NOT NULL DEFAULT now(),
  looked_at    timestamptz NOT NULL DEFAULT now()   -- by whoever brings left ones to their end
);
CREATE INDEX attachment_under_way_hash_idx ON artifact.attachment_under_way (hash);
CREATE INDEX attachment_under_way_looked_at_idx ON artifact.attachment_under_way (looked_at);
