-- In a migration of its own: while it is built, content is read, which the lock for adding the column would stop.
CREATE INDEX stored_object_not_archived ON artifact.stored_object (hash) WHERE archived_at IS NULL AND evicted_at IS NULL;
