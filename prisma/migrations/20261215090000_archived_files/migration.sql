-- When a file of the store was copied to the archive of the write-ahead log; NULL for one that has yet to be.
ALTER TABLE artifact.stored_object ADD COLUMN archived_at timestamptz;
CREATE INDEX stored_object_not_archived ON artifact.stored_object (hash) WHERE archived_at IS NULL AND evicted_at IS NULL;
