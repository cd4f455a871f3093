-- By which comparison a result was found to be stale last. Who has compared it knows by this that nothing has changed since.
ALTER TABLE artifact.stale_result ADD COLUMN compared uuid;

-- What was compared again was so by somebody else; who names a comparison writes it later in the same transaction. By a trigger,
-- because a process of the version before leaves the mark of what is stale already as it is.
CREATE FUNCTION artifact.was_compared() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE artifact.stale_result s SET compared = NULL FROM settled d
  WHERE d.kind = 'production' AND s.production_id = d.id AND s.compared IS NOT NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER was_compared AFTER DELETE ON artifact.staleness_due REFERENCING OLD TABLE AS settled FOR EACH STATEMENT
  EXECUTE FUNCTION artifact.was_compared();
