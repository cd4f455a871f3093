// SQL that puts down a batch's effects beside entities: relationships, external ids, unique values.
import { columns, type FlushPart } from './flush-part.ts';
import type { EndedExternalId, EndedRelationship, NewExternalId, NewRelationship } from './pending.ts';
import type { UniqueWork } from './unique-work.ts';
import type { WorkingSet } from './working-set.ts';

export const keyParts = (set: WorkingSet): FlushPart[] => [
  ...relationshipParts([...set.relationships.made.values()], [...set.relationships.ended.values()]),
  ...externalIdParts([...set.externalIds.added.values()], [...set.externalIds.ended.values()]),
  ...uniqueParts(set.uniques),
];

function relationshipParts(
  relationships: readonly NewRelationship[],
  unrelated: readonly EndedRelationship[],
): FlushPart[] {
  return [
    {
      name: 'related',
      types: ['text', 'text', 'text', 'jsonb', 'text', 'bigint'],
      columns: columns(
        relationships,
        (r) => r.key.sourceId,
        (r) => r.key.targetId,
        (r) => r.key.type,
        (r) => JSON.stringify(r.metadata ?? null),
        (r) => r.createdBy,
        (r) => r.ordinal,
      ),
      sql: (
        u,
      ) => `INSERT INTO metadata.relationship (source_id, target_id, relationship_type, metadata, created_by, created_event)
        SELECT c.s, c.t, c.y, nullif(c.m, 'null'), c.b, b.base + c.o FROM b, ${u} c(s, t, y, m, b, o)`,
    },
    {
      name: 'unrelated',
      types: ['text', 'text', 'text', 'bigint'],
      columns: columns(
        unrelated,
        (r) => r.key.sourceId,
        (r) => r.key.targetId,
        (r) => r.key.type,
        (r) => r.ordinal,
      ),
      sql: (u) => `UPDATE metadata.relationship r SET removed_event = b.base + c.o FROM b, ${u} c(s, t, y, o)
        WHERE (r.source_id, r.target_id, r.relationship_type) = (c.s, c.t, c.y) AND r.removed_event IS NULL`,
    },
  ];
}

function externalIdParts(
  externals: readonly NewExternalId[],
  superseded: readonly EndedExternalId[],
): FlushPart[] {
  return [
    {
      name: 'identified',
      types: ['uuid', 'text', 'text', 'text', 'bigint'],
      columns: columns(
        externals,
        (x) => x.recordId,
        (x) => x.entityId,
        (x) => x.idType,
        (x) => x.value,
        (x) => x.ordinal,
      ),
      sql: (u) => `INSERT INTO metadata.external_id (id, entity_id, id_type, external_id, created_event)
        SELECT c.i, c.e, c.t, c.v, b.base + c.o FROM b, ${u} c(i, e, t, v, o)`,
    },
    {
      name: 'superseded',
      types: ['uuid', 'uuid', 'bigint'],
      columns: columns(
        superseded,
        (x) => x.recordId,
        (x) => x.successor,
        (x) => x.ordinal,
      ),
      sql: (u) =>
        `UPDATE metadata.external_id x SET superseded_event = b.base + c.o, superseded_by = c.s FROM b, ${u} c(i, s, o) WHERE x.id = c.i`,
    },
  ];
}

function uniqueParts(uniques: UniqueWork): FlushPart[] {
  const taken = [...uniques.taken.values()];
  const passed = [...uniques.passed.values()];
  const freed = [...uniques.freed.values()];
  return [
    {
      name: 'taken',
      types: ['text', 'text', 'bytea', 'text'],
      columns: columns(
        taken,
        (t) => t.scope,
        (t) => t.field,
        (t) => t.hash,
        (t) => t.entityId,
      ),
      sql: (u) =>
        `INSERT INTO metadata.unique_value (scope_type, field, value_hash, entity_id) SELECT * FROM ${u}`,
    },
    {
      name: 'passed',
      types: ['text', 'text', 'bytea', 'text'],
      columns: columns(
        passed,
        (t) => t.scope,
        (t) => t.field,
        (t) => t.hash,
        (t) => t.entityId,
      ),
      sql: (u) =>
        `UPDATE metadata.unique_value v SET entity_id = c.e FROM ${u} c(s, f, h, e) WHERE (v.scope_type, v.field, v.value_hash) = (c.s, c.f, c.h)`,
    },
    {
      name: 'freed',
      types: ['text', 'text', 'bytea'],
      columns: columns(
        freed,
        (t) => t.scope,
        (t) => t.field,
        (t) => t.hash,
      ),
      sql: (u) =>
        `DELETE FROM metadata.unique_value v USING ${u} c(s, f, h) WHERE (v.scope_type, v.field, v.value_hash) = (c.s, c.f, c.h)`,
    },
  ];
}
