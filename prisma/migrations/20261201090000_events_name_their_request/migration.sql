-- Which request an event was written by: the id that the answer and the audit record of the request have.
-- Events of before have none. It has no index: whoever looks for it knows the time of the request.
ALTER TABLE metadata.provenance ADD COLUMN request_id uuid;
