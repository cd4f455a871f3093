-- By which comparison a result was found to be stale last; null where a process of the version before has compared it. Who has
-- compared it knows by this that nothing has changed since.
ALTER TABLE artifact.stale_result ADD COLUMN compared uuid;
