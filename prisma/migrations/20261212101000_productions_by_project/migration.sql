-- The projects that a production names: those whose members see it, if they are in all of them.
CREATE FUNCTION artifact.production_projects(criteria jsonb, plan jsonb) RETURNS SETOF text LANGUAGE sql IMMUTABLE AS $$
  SELECT DISTINCT p.name FROM (
    SELECT criteria ->> 'project' UNION ALL SELECT jsonb_path_query(plan, '$.**.projects[*]') #>> '{}'
    UNION ALL SELECT jsonb_path_query(plan, '$.**.criteria.project') #>> '{}') p(name) WHERE p.name IS NOT NULL
$$;

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
