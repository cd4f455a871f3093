-- Which results a production may reuse for what it requires: any, or those that are not stale. A process of the version
-- before reuses any.
ALTER TABLE artifact.production ADD COLUMN reuse text NOT NULL DEFAULT 'any' CHECK (reuse IN ('any', 'fresh'));
