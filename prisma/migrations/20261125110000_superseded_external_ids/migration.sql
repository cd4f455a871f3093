-- A thousand characters may be more than an index entry holds: values are found by their digest, and then compared.
DROP INDEX metadata.external_id_active_key;
CREATE UNIQUE INDEX external_id_active_key ON metadata.external_id (id_type, md5(external_id)) WHERE superseded_event IS NULL;
-- Which entity had an external id that a corrected value has replaced: what «as of» a time asks.
CREATE INDEX external_id_superseded_idx ON metadata.external_id (id_type, md5(external_id)) WHERE superseded_event IS NOT NULL;
