// Which server, and which log on it, a statement is answered from.
import type { CommitMark } from '../../../platform/database/standing.ts';

/**
 * SQL of a text: the server's start time and the file of its log. It is unique for each server, and different when a
 * backup replaces the log.
 */
export const LOG_SERVER = `(pg_postmaster_start_time() || pg_relation_filepath('metadata.provenance'))`;

/** Writers commit in the order of positions; an id tells two logs apart that have given the same position. */
export const NEWEST_EVENT: CommitMark = {
  newest: `(SELECT p.position || ' ' || p.id FROM metadata.provenance p ORDER BY p.position DESC LIMIT 1)`,
  holds: `EXISTS (SELECT FROM metadata.provenance p WHERE p.position = split_part($1, ' ', 1)::bigint AND p.id = split_part($1, ' ', 2)::uuid)`,
};
