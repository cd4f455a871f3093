-- Tells those who follow lists that something of theirs has changed, and what; they read past states to know when
-- (docs/decisions/0172-lists-follow-past-states.md).
CREATE FUNCTION workflow.tell_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('workflow_change', NEW.relation);
  RETURN NULL;
END $$;
CREATE TRIGGER change_told AFTER INSERT ON workflow.past_state FOR EACH ROW WHEN (NEW.relation = 'run') EXECUTE FUNCTION workflow.tell_change();

CREATE FUNCTION artifact.tell_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- lists do not tell of a log that has grown; who follows one production is told
  IF NEW.state IS NULL OR NEW.state - 'log_cut' <> '{}' THEN PERFORM pg_notify('artifact_change', NEW.relation); END IF;
  PERFORM pg_notify('artifact_progress', NEW.key);
  RETURN NULL;
END $$;
CREATE TRIGGER change_told AFTER INSERT ON artifact.past_state FOR EACH ROW WHEN (NEW.relation = 'production') EXECUTE FUNCTION artifact.tell_change();
