// Which server, and which log on it, a statement is answered from.

/**
 * SQL of a text: the server's start time and the file of its log. It is unique for each server, and different when a
 * backup replaces the log.
 */
export const LOG_SERVER = `(pg_postmaster_start_time() || pg_relation_filepath('metadata.provenance'))`;
