-- Of the productions from before the trigger, in a transaction of its own: it holds no lock that a write waits for.
INSERT INTO artifact.production_project (project, requested_at, production_id)
SELECT n.name, p.requested_at, p.id FROM artifact.production p CROSS JOIN LATERAL artifact.production_projects(p.criteria, p.plan) n(name)
ON CONFLICT DO NOTHING;
