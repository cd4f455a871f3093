-- Productions are written seldom, and looked up by many entities at a time: each look-up would read what has yet to be sorted
-- into the index.
ALTER INDEX artifact.production_entity_ids_idx SET (fastupdate = off);
ALTER INDEX artifact.production_requires_idx SET (fastupdate = off);
ALTER INDEX artifact.production_images_idx SET (fastupdate = off);
SELECT gin_clean_pending_list('artifact.production_entity_ids_idx'), gin_clean_pending_list('artifact.production_requires_idx');
