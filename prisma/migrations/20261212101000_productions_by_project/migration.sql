-- The projects that a production names: those whose members see it, if they are in all of them.
CREATE FUNCTION artifact.production_projects(criteria jsonb, plan jsonb) RETURNS SETOF text LANGUAGE sql IMMUTABLE AS $$
  SELECT DISTINCT p.name FROM (
    SELECT criteria ->> 'project' UNION ALL SELECT jsonb_path_query(plan, '$.**.projects[*]') #>> '{}'
    UNION ALL SELECT jsonb_path_query(plan, '$.**.criteria.project') #>> '{}') p(name) WHERE p.name IS NOT NULL
$$;

-- A process of the version before says of which production a mark is, and leaves what that of the former one was.
CREATE FUNCTION artifact.mark_of_production() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT ARRAY(SELECT artifact.production_projects(p.criteria, p.plan)), p.rule INTO NEW.projects, NEW.rule FROM artifact.production p WHERE p.id = NEW.production_id;
  RETURN NEW;
END $$;
CREATE TRIGGER mark_of_production BEFORE UPDATE OF production_id ON artifact.stale_result FOR EACH ROW
  WHEN (NEW.production_id IS DISTINCT FROM OLD.production_id AND NEW.projects IS NOT DISTINCT FROM OLD.projects) EXECUTE FUNCTION artifact.mark_of_production();

-- Which productions have named a project, in the order of lists. Only added to: whether one names it still, or did at a time, its row says.
CREATE TABLE artifact.production_project (
  project       text           NOT NULL,
  requested_at  timestamptz(6) NOT NULL,
  production_id text           NOT NULL,
  PRIMARY KEY (project, requested_at, production_id)
);

-- By a trigger, so that processes of the version before tell of theirs too.
CREATE FUNCTION artifact.note_projects() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO artifact.production_project (project, requested_at, production_id)
  SELECT name, NEW.requested_at, NEW.id FROM artifact.production_projects(NEW.criteria, NEW.plan) name
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER production_projects AFTER INSERT OR UPDATE OF criteria, plan ON artifact.production FOR EACH ROW EXECUTE FUNCTION artifact.note_projects();

-- The projects that a rule's outputs are fixed to.
CREATE FUNCTION artifact.rule_projects(definition jsonb) RETURNS SETOF text LANGUAGE sql IMMUTABLE AS $$
  SELECT DISTINCT m.value #>> '{}' FROM jsonb_path_query(definition, '$.produces.match.project') m(value)
  WHERE jsonb_typeof(m.value) = 'string' AND strpos(m.value #>> '{}', '{') = 0
$$;
