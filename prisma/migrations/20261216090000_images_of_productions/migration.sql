-- Container images that productions ran in, and those that machines have now
-- (docs/decisions/0178-images-are-compared-with-what-machines-have.md).

-- Null: not recorded.
ALTER TABLE artifact.production ADD COLUMN images jsonb;

-- By the names that workflows give them. Without id: the machine has none of that name.
CREATE TABLE artifact.image_now (
  image text NOT NULL,
  machine text NOT NULL,
  digest text,
  image_id text,
  looked_at timestamptz(6) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (image, machine)
);
CREATE CONSTRAINT TRIGGER past_inserted AFTER INSERT OR DELETE ON artifact.image_now DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  EXECUTE FUNCTION artifact.keep_past('{image,machine}', '{}');
CREATE CONSTRAINT TRIGGER past_updated AFTER UPDATE ON artifact.image_now DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.digest, OLD.image_id) IS DISTINCT FROM (NEW.digest, NEW.image_id)) EXECUTE FUNCTION artifact.keep_past('{image,machine}', '{digest,image_id}');

DROP TRIGGER past_updated ON artifact.production;
CREATE CONSTRAINT TRIGGER past_updated AFTER UPDATE ON artifact.production DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.rule, OLD.status, OLD.plan, OLD.entity_ids, OLD.error, OLD.requested_by, OLD.started_at, OLD.finished_at, OLD.inputs, OLD.produced, OLD.runner, OLD.log, OLD.input_files, OLD.images)
    IS DISTINCT FROM (NEW.rule, NEW.status, NEW.plan, NEW.entity_ids, NEW.error, NEW.requested_by, NEW.started_at, NEW.finished_at, NEW.inputs, NEW.produced, NEW.runner, NEW.log, NEW.input_files, NEW.images))
  EXECUTE FUNCTION artifact.keep_past('{id}', '{rule,status,plan,entity_ids,error,requested_by,started_at,finished_at,inputs,produced,runner,log,input_files,images}');
