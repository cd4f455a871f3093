-- What rows of workflow and artifact were before they changed, for reads as of a time (docs/decisions/0167-states-that-have-ended.md).
-- A transaction's changes get one time, which is taken when it commits, under a lock that it holds until it has: nothing that
-- commits later has an earlier one.

-- In the order in which those that are at work lock them: a run, then what it has written.
LOCK TABLE workflow.run, workflow.trigger, workflow.trigger_pause IN SHARE ROW EXCLUSIVE MODE;

-- Microseconds since 1970 of the last change.
CREATE SEQUENCE workflow.change_clock AS bigint MINVALUE 0 START 0;
CREATE SEQUENCE artifact.change_clock AS bigint MINVALUE 0 START 0;

-- The time of the transaction's changes. With its owner's rights, because nobody else may set the clock.
CREATE FUNCTION workflow.change_time() RETURNS timestamptz LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  tick bigint := nullif(current_setting('cairn.workflow_change', true), '');
BEGIN
  IF tick IS NULL THEN
    PERFORM pg_advisory_xact_lock(4847307193528363);
    tick := greatest((extract(epoch FROM clock_timestamp()) * 1000000)::bigint, pg_sequence_last_value('workflow.change_clock') + 1);
    PERFORM setval('workflow.change_clock', tick), set_config('cairn.workflow_change', tick::text, true);
  END IF;
  RETURN timestamptz 'epoch' + tick * interval '1 microsecond';
END $$;
CREATE FUNCTION artifact.change_time() RETURNS timestamptz LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  tick bigint := nullif(current_setting('cairn.artifact_change', true), '');
BEGIN
  IF tick IS NULL THEN
    PERFORM pg_advisory_xact_lock(4847307193528364);
    tick := greatest((extract(epoch FROM clock_timestamp()) * 1000000)::bigint, pg_sequence_last_value('artifact.change_clock') + 1);
    PERFORM setval('artifact.change_clock', tick), set_config('cairn.artifact_change', tick::text, true);
  END IF;
  RETURN timestamptz 'epoch' + tick * interval '1 microsecond';
END $$;

-- The columns that a change set, with their values before it, up to `until`; null: there was no row before.
CREATE TABLE workflow.past_state (
  id bigint GENERATED ALWAYS AS IDENTITY,
  relation text NOT NULL,
  key text COLLATE "C" NOT NULL,
  until timestamptz(6) NOT NULL,
  state jsonb,
  PRIMARY KEY (relation, key, until, id)
);
CREATE INDEX past_state_relation_until_idx ON workflow.past_state (relation, until);
CREATE TABLE artifact.past_state (
  id bigint GENERATED ALWAYS AS IDENTITY,
  relation text NOT NULL,
  key text COLLATE "C" NOT NULL,
  until timestamptz(6) NOT NULL,
  state jsonb,
  PRIMARY KEY (relation, key, until, id)
);
CREATE INDEX past_state_relation_until_idx ON artifact.past_state (relation, until);

-- Entities for which an identity stood before; identities by the keys of their past states.
CREATE INDEX past_state_identity_idx ON artifact.past_state ((state ->> 'entity_id')) WHERE relation = 'entity_identity' AND state ? 'entity_id';
CREATE INDEX entity_identity_key_idx ON artifact.entity_identity ((entity_type || ' ' || project || ' ' || identity));

-- Since when past states are kept; -infinity where nothing had been stored before.
CREATE TABLE workflow.past_begins (is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only), at timestamptz(6) NOT NULL);
CREATE TABLE artifact.past_begins (is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only), at timestamptz(6) NOT NULL);

-- Several changes, the earliest of which is applied last.
CREATE AGGREGATE workflow.undone(jsonb) (sfunc = jsonb_concat, stype = jsonb, initcond = '{}');
CREATE AGGREGATE artifact.undone(jsonb) (sfunc = jsonb_concat, stype = jsonb, initcond = '{}');

-- The columns of `was` that `became` does not have so; of these only the named ones.
CREATE FUNCTION workflow.changed(was jsonb, became jsonb, named text[]) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT jsonb_object_agg(c.key, c.value) FROM jsonb_each(was) c WHERE c.key = ANY(named) AND c.value IS DISTINCT FROM became -> c.key
$$;
CREATE FUNCTION artifact.changed(was jsonb, became jsonb, named text[]) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT jsonb_object_agg(c.key, c.value) FROM jsonb_each(was) c WHERE c.key = ANY(named) AND c.value IS DISTINCT FROM became -> c.key
$$;

-- Arguments: the columns of the key, and those that are kept.
CREATE FUNCTION workflow.keep_past() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  was jsonb := CASE WHEN TG_OP <> 'INSERT' THEN to_jsonb(OLD) END;
  became jsonb := CASE WHEN TG_OP <> 'DELETE' THEN to_jsonb(NEW) END;
  own text := (SELECT string_agg(coalesce(became, was) ->> k.name, ' ' ORDER BY k.place) FROM unnest(TG_ARGV[0]::text[]) WITH ORDINALITY AS k(name, place));
BEGIN
  INSERT INTO workflow.past_state (relation, key, until, state)
  VALUES (TG_TABLE_NAME, own, workflow.change_time(), CASE TG_OP WHEN 'UPDATE' THEN workflow.changed(was, became, TG_ARGV[1]::text[]) ELSE was END);
  RETURN NULL;
END $$;
-- Of a log, which grows at its end and loses its beginning, only what it lost is kept, with how much of it stayed.
CREATE FUNCTION artifact.keep_past() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  was jsonb := CASE WHEN TG_OP <> 'INSERT' THEN to_jsonb(OLD) END;
  became jsonb := CASE WHEN TG_OP <> 'DELETE' THEN to_jsonb(NEW) END;
  own text := (SELECT string_agg(coalesce(became, was) ->> k.name, ' ' ORDER BY k.place) FROM unnest(TG_ARGV[0]::text[]) WITH ORDINALITY AS k(name, place));
  lost jsonb := CASE TG_OP WHEN 'UPDATE' THEN artifact.changed(was, became, TG_ARGV[1]::text[]) ELSE was END;
  before text;
  tail text;
  mark integer := 0;
  place integer;
BEGIN
  IF TG_OP = 'UPDATE' AND lost ? 'log' THEN
    before := was ->> 'log';
    tail := became ->> 'log';
    IF starts_with(tail, E'[…]\n') THEN -- it begins with the mark of what is no longer kept, and not with what stayed
      mark := 4;
      tail := substr(tail, mark + 1);
    END IF;
    place := strpos(before, left(tail, 200));
    IF before IS NOT NULL AND (place IS NULL OR place = 0 OR substr(before, place) <> left(tail, length(before) - place + 1)) THEN
      place := length(before) + 1;
    END IF;
    lost := lost - 'log' || jsonb_build_object('log_cut', jsonb_build_object('lost', left(before, place - 1), 'stayed', length(before) - place + 1, 'mark', mark));
  END IF;
  INSERT INTO artifact.past_state (relation, key, until, state) VALUES (TG_TABLE_NAME, own, artifact.change_time(), lost);
  RETURN NULL;
END $$;

-- Which entities a run had written: those that were noted up to then. What was there before has no time.
ALTER TABLE workflow.run_entity ADD COLUMN at timestamptz(6);
ALTER TABLE workflow.run_entity ALTER COLUMN at SET DEFAULT workflow.change_time();
-- Whether the trigger is configured, as the engine that started last found it.
ALTER TABLE workflow.trigger ADD COLUMN is_configured boolean NOT NULL DEFAULT true;

-- What a renewal of a lease changes is not kept. A row that is deleted because it has expired takes its past along.
CREATE CONSTRAINT TRIGGER past_inserted AFTER INSERT ON workflow.run DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION workflow.keep_past('{id}', '{}');
CREATE CONSTRAINT TRIGGER past_updated AFTER UPDATE ON workflow.run DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.status, OLD.started_at, OLD.finished_at, OLD.attempt, OLD.records_fetched, OLD.records_created, OLD.records_updated, OLD.records_skipped, OLD.records_failed, OLD.errors, OLD.unresolved, OLD.produced)
    IS DISTINCT FROM (NEW.status, NEW.started_at, NEW.finished_at, NEW.attempt, NEW.records_fetched, NEW.records_created, NEW.records_updated, NEW.records_skipped, NEW.records_failed, NEW.errors, NEW.unresolved, NEW.produced))
  EXECUTE FUNCTION workflow.keep_past('{id}', '{status,started_at,finished_at,attempt,records_fetched,records_created,records_updated,records_skipped,records_failed,errors,unresolved,produced}');
CREATE FUNCTION workflow.forget_past() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM workflow.past_state s USING gone WHERE s.relation = TG_TABLE_NAME AND s.key = gone.id;
  RETURN NULL;
END $$;
CREATE TRIGGER past_forgotten AFTER DELETE ON workflow.run REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION workflow.forget_past();

CREATE CONSTRAINT TRIGGER past_inserted AFTER INSERT OR DELETE ON workflow.trigger DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION workflow.keep_past('{name}', '{}');
CREATE CONSTRAINT TRIGGER past_updated AFTER UPDATE ON workflow.trigger DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.type, OLD.definition, OLD.status, OLD.last_run_at, OLD.last_result, OLD.problem, OLD.failures, OLD.last_error, OLD.is_configured)
    IS DISTINCT FROM (NEW.type, NEW.definition, NEW.status, NEW.last_run_at, NEW.last_result, NEW.problem, NEW.failures, NEW.last_error, NEW.is_configured))
  EXECUTE FUNCTION workflow.keep_past('{name}', '{type,definition,status,last_run_at,last_result,problem,failures,last_error,is_configured}');
CREATE CONSTRAINT TRIGGER past_inserted AFTER INSERT OR DELETE ON workflow.trigger_pause DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION workflow.keep_past('{trigger_name}', '{}');
CREATE CONSTRAINT TRIGGER past_updated AFTER UPDATE ON workflow.trigger_pause DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION workflow.keep_past('{trigger_name}', '{paused_at,paused_by,reason,resumed_at}');

CREATE CONSTRAINT TRIGGER past_inserted AFTER INSERT OR DELETE ON artifact.rule DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION artifact.keep_past('{name,version}', '{}');
CREATE CONSTRAINT TRIGGER past_updated AFTER UPDATE ON artifact.rule DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.definition, OLD.status, OLD.scope, OLD.description, OLD.tags, OLD.cwl_hash, OLD.workflow_hash, OLD.previous_version, OLD.deprecation_note)
    IS DISTINCT FROM (NEW.definition, NEW.status, NEW.scope, NEW.description, NEW.tags, NEW.cwl_hash, NEW.workflow_hash, NEW.previous_version, NEW.deprecation_note))
  EXECUTE FUNCTION artifact.keep_past('{name,version}', '{definition,status,scope,description,tags,cwl_hash,workflow_hash,previous_version,deprecation_note}');
CREATE CONSTRAINT TRIGGER past_inserted AFTER INSERT OR DELETE ON artifact.production DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION artifact.keep_past('{id}', '{}');
CREATE CONSTRAINT TRIGGER past_updated AFTER UPDATE ON artifact.production DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.rule, OLD.status, OLD.plan, OLD.entity_ids, OLD.error, OLD.requested_by, OLD.started_at, OLD.finished_at, OLD.inputs, OLD.produced, OLD.runner, OLD.log, OLD.input_files)
    IS DISTINCT FROM (NEW.rule, NEW.status, NEW.plan, NEW.entity_ids, NEW.error, NEW.requested_by, NEW.started_at, NEW.finished_at, NEW.inputs, NEW.produced, NEW.runner, NEW.log, NEW.input_files))
  EXECUTE FUNCTION artifact.keep_past('{id}', '{rule,status,plan,entity_ids,error,requested_by,started_at,finished_at,inputs,produced,runner,log,input_files}');
CREATE CONSTRAINT TRIGGER past_inserted AFTER INSERT OR DELETE ON artifact.production_waiter DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION artifact.keep_past('{production_id,waiter}', '{}');
CREATE CONSTRAINT TRIGGER past_inserted AFTER INSERT OR DELETE ON artifact.not_reusable DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION artifact.keep_past('{entity_id}', '{}');
CREATE CONSTRAINT TRIGGER past_updated AFTER UPDATE ON artifact.not_reusable DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION artifact.keep_past('{entity_id}', '{reason,actor,since}');
CREATE CONSTRAINT TRIGGER past_inserted AFTER INSERT OR DELETE ON artifact.entity_identity DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION artifact.keep_past('{entity_type,project,identity}', '{}');
CREATE CONSTRAINT TRIGGER past_updated AFTER UPDATE ON artifact.entity_identity DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.entity_id, OLD.production_id) IS DISTINCT FROM (NEW.entity_id, NEW.production_id)) EXECUTE FUNCTION artifact.keep_past('{entity_type,project,identity}', '{entity_id,production_id}');

INSERT INTO workflow.past_begins (at) SELECT CASE WHEN EXISTS (SELECT FROM workflow.run) OR EXISTS (SELECT FROM workflow.trigger) OR EXISTS (SELECT FROM workflow.trigger_pause) THEN clock_timestamp() ELSE '-infinity' END;
INSERT INTO artifact.past_begins (at) SELECT CASE WHEN EXISTS (SELECT FROM artifact.rule) OR EXISTS (SELECT FROM artifact.production) OR EXISTS (SELECT FROM artifact.not_reusable) THEN clock_timestamp() ELSE '-infinity' END;
