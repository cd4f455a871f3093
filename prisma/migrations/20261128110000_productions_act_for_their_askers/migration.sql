-- With whose rights each of those who wait for a production has asked for it: where the first one's have ended, it is made with another's.
ALTER TABLE artifact.production_waiter ADD COLUMN asker jsonb;
