-- Rules by what they produce: resolution looks at the active rules of one entity type, however many others there are.
CREATE INDEX rule_produces_idx ON artifact.rule USING gin ((definition -> 'produces') jsonb_path_ops) WHERE status = 'active';
