// A causal chain by one recursive query: the links of entities and runs alone, without a look at who may see what.
import type { QueryConfig } from 'pg';

const AT = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

const STATES = `(SELECT n.id, n.version, n.state_event FROM metadata.entity n WHERE n.id = c.id
  UNION ALL SELECT h.id, h.version, h.from_event FROM metadata.entity_history h WHERE h.id = c.id) s`;

const CAUSES = `
  SELECT 'event' AS kind, ${AT('p.timestamp')} AS id, 0 AS version FROM ${STATES} JOIN metadata.provenance p ON p.position = s.state_event
    WHERE c.kind = 'version' AND s.version = c.version
  UNION ALL SELECT 'version', c.id, c.version - 1 WHERE c.kind = 'version' AND c.version > 1
  UNION ALL SELECT split_part(x.cause, ':', 1), substr(x.cause, strpos(x.cause, ':') + 1), 0 FROM (
    SELECT coalesce(p.cause, 'request:' || p.request_id) AS cause FROM metadata.provenance p WHERE c.kind = 'event' AND p.timestamp = c.id::timestamptz) x WHERE x.cause IS NOT NULL
  UNION ALL SELECT CASE WHEN r.cause ? 'event' THEN 'internal_event' ELSE split_part(r.caused_by, ':', 1) END,
      CASE WHEN r.cause ? 'event' THEN (r.cause ->> 'event') || '@' || substr(r.caused_by, 5) ELSE substr(r.caused_by, strpos(r.caused_by, ':') + 1) END, 0
    FROM workflow.run r WHERE c.kind = 'run' AND r.id = c.id AND r.caused_by IS NOT NULL
  UNION ALL SELECT 'run', split_part(c.id, '@', 2), 0 WHERE c.kind = 'internal_event'`;

const EFFECTS = `
  SELECT 'version' AS kind, s.id, s.version FROM metadata.provenance p JOIN LATERAL (
      SELECT n.id, n.version FROM metadata.entity n WHERE n.id = p.entity_id AND n.state_event = p.position
      UNION ALL SELECT h.id, h.version FROM metadata.entity_history h WHERE h.id = p.entity_id AND h.from_event = p.position) s ON true
    WHERE c.kind = 'event' AND p.timestamp = c.id::timestamptz
  UNION ALL SELECT 'version', s.id, s.version FROM ${STATES} WHERE c.kind = 'version' AND s.version = c.version + 1
  UNION ALL SELECT 'event', ${AT('p.timestamp')}, 0 FROM metadata.provenance p WHERE c.kind = 'request' AND p.request_id = c.id::uuid AND p.cause IS NULL
  UNION ALL SELECT 'event', ${AT('p.timestamp')}, 0 FROM metadata.provenance p WHERE c.kind = 'run' AND p.cause = 'run:' || c.id
  UNION ALL SELECT CASE WHEN r.cause ? 'event' THEN 'internal_event' ELSE 'run' END, CASE WHEN r.cause ? 'event' THEN (r.cause ->> 'event') || '@' || c.id ELSE r.id END, 0
    FROM workflow.run r WHERE c.kind IN ('run', 'request') AND r.caused_by = c.kind || ':' || c.id
  UNION ALL SELECT 'run', r.id, 0 FROM workflow.run r WHERE c.kind = 'internal_event' AND r.caused_by = 'run:' || split_part(c.id, '@', 2)`;

/** What a node says beside its key. */
const DETAILS = `
  SELECT p.event_type AS name, ${AT('p.timestamp')} AS at, p.actor, json_build_object('event_id', p.id, 'entity_id', p.entity_id, 'entity_type', p.entity_type, 'request_id', p.request_id, 'context', p.context) AS details
    FROM metadata.provenance p WHERE c.kind = 'event' AND p.timestamp = c.id::timestamptz
  UNION ALL SELECT s.id, ${AT('p.timestamp')}, p.actor, json_build_object('entity_id', s.id, 'entity_type', p.entity_type, 'version', s.version)
    FROM ${STATES} JOIN metadata.provenance p ON p.position = s.state_event WHERE c.kind = 'version' AND s.version = c.version
  UNION ALL SELECT r.trigger_name, ${AT('r.queued_at')}, r.actor, json_build_object('run_id', r.id, 'trigger_name', r.trigger_name, 'trigger_type', r.trigger_type, 'adapter', r.adapter, 'project', r.project)
    FROM workflow.run r WHERE c.kind = 'run' AND r.id = c.id`;

export const recursive = (direction: string, subject: string, depth: number): QueryConfig => {
  const [kind = '', ...rest] = subject.split(':');
  const [version, id] = kind === 'version' ? [Number(rest[0]), rest.slice(1).join(':')] : [0, rest.join(':')];
  return {
    name: `chain-${direction}`,
    text: `WITH RECURSIVE chain(kind, id, version, depth) AS (
        SELECT $1::text, $2::text, $3::int, 0
        UNION SELECT l.kind, l.id, l.version, c.depth + 1 FROM chain c CROSS JOIN LATERAL (${direction === 'backward' ? CAUSES : EFFECTS}) l WHERE c.depth < $4::int),
      nearest AS (SELECT kind, id, version, min(depth) AS depth FROM chain GROUP BY kind, id, version)
      SELECT c.kind || ':' || CASE WHEN c.kind = 'version' THEN c.version || ':' ELSE '' END || c.id AS key, c.depth, d.name, d.at, d.actor, d.details
      FROM nearest c LEFT JOIN LATERAL (${DETAILS}) d ON true WHERE c.kind IN ('request', 'internal_event') OR d.name IS NOT NULL ORDER BY c.depth`,
    values: [kind, id, version, depth],
  };
};
