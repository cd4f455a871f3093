-- When a file of the store was copied to the archive of the write-ahead log; NULL for one that has yet to be.
ALTER TABLE artifact.stored_object ADD COLUMN archived_at timestamptz;
