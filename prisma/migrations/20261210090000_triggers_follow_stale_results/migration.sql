-- Stale results as events of triggers (docs/decisions/0164-stale-results-as-events.md), and lists that do not open the productions of others.

-- The time of the last mark, also where that is gone: times of marks do not go back with the clock.
ALTER TABLE artifact.staleness_basis ADD COLUMN marked_at timestamptz(6);

-- Of the production, which has ended: the projects whose members alone see it, and its rule. NULL in marks of the version before.
ALTER TABLE artifact.stale_result ADD COLUMN projects text[];
ALTER TABLE artifact.stale_result ADD COLUMN rule text;

-- What a firing was caused by, where it is several nodes of causal chains.
ALTER TABLE workflow.firing ADD COLUMN causes text[];
CREATE INDEX firing_causes_idx ON workflow.firing USING gin (causes) WHERE causes IS NOT NULL;
