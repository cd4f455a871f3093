// A REST request and its partner in GraphQL; the fields that several partners select, by REST's names.

/** One request, in both APIs. */
export interface Case {
  /** Below the component's prefix, with the query. */
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly document: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  /**
   * The part of GraphQL's data that is the REST payload; by default the only root field. Null is REST's 404.
   */
  readonly payload?: (data: never) => unknown;
  /** The part of the REST payload that is compared, if it has more than GraphQL's. */
  readonly told?: (payload: never) => unknown;
}

/** Names that the requests of one credential may use. */
export interface Names {
  /** The credential's own name, for its writes. */
  readonly n: number;
  /** Created before, in the world that is queried. */
  readonly known: Readonly<Record<'run' | 'delivery' | 'production' | 'key' | 'rotated', string>>;
}

export interface Bulk {
  readonly summary: { readonly requested: number };
  readonly unresolved_drs_objects: readonly { readonly object_ids: readonly string[] }[];
}

export interface BulkAnswer {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly outcomes: readonly { readonly code?: number; readonly message?: string }[];
}

/** The parts in which two things differ. */
export const STALENESS =
  'is_stale: isStale is_complete: isComplete reasons { kind message via production_id: productionId entity_id: entityId field input from_version: fromVersion to_version: toVersion from_rule: fromRule to_rule: toRule image from_digest: fromDigest to_digest: toDigest } not_known: notKnown';
export const REFRESH = `plan_hash: planHash is_complete: isComplete steps { entity_id: entityId entity_type: entityType parameters
  staleness { ${STALENESS} } plan error }`;
export const PARTS = 'differences { path kind before after } is_complete: isComplete json_patch: jsonPatch';

/** The fields of a causal chain. */
export const CHAIN =
  'nodes { key kind name at actor depth details } links { cause effect kind } next_cursor: nextCursor';

export type Partner = (names: Names) => readonly Case[];

export const E =
  'id entity_type: entityType data version created_at: createdAt updated_at: updatedAt is_available: isAvailable';
export const REL =
  'id source_entity_id: sourceEntityId target_entity_id: targetEntityId relationship_type: relationshipType metadata created_at: createdAt created_by: createdBy';
export const XID =
  'id entity_id: entityId id_type: idType external_id: externalId created_at: createdAt superseded_at: supersededAt superseded_by: supersededBy';
export const EVENT =
  'id event_type: eventType entity_id: entityId entity_type: entityType actor timestamp schema_version: schemaVersion context payload';
export const RUN = `run_id: runId trigger_name: triggerName trigger_type: triggerType adapter status queued_at: queuedAt started_at: startedAt finished_at: finishedAt
  records_fetched: recordsFetched records_created: recordsCreated records_updated: recordsUpdated records_skipped: recordsSkipped records_failed: recordsFailed errors`;
export const PRODUCTION =
  'production_id: id status entity_type: entityType criteria rule entity_ids: entityIds error requested_by: requestedBy requested_at: requestedAt started_at: startedAt finished_at: finishedAt';
export const RULE =
  'name version rule status scope description tags cwl_hash: cwlHash registered_by: registeredBy registered_at: registeredAt previous_version_id: previousVersionId deprecation_note: deprecationNote';

export const pickRule = (rule: Record<string, unknown>): unknown =>
  Object.fromEntries(
    [
      'name',
      'version',
      'rule',
      'status',
      'scope',
      'description',
      'tags',
      'cwl_hash',
      'registered_by',
      'registered_at',
      'previous_version_id',
      'deprecation_note',
    ].map((name) => [name, rule[name] ?? null]),
  );

/** A sample of each project, a shared one, and a missing one. */
const SEEN = ['a1', 'b1', 'free1', 'nowhere'];
export const each = (of: (id: string) => Case): readonly Case[] => SEEN.map(of);
