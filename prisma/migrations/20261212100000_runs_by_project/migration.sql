-- Lists of one project, newest first.
CREATE INDEX run_project_queued_at_id_idx ON workflow.run (project, queued_at, id) WHERE project IS NOT NULL;
