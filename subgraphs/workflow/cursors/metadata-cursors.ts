// Poll cursors as entities of the metadata (docs/reference/workflow.md#poll-cursor), read and written through
// the router.
import { DomainError } from '../../../platform/errors.ts';
import type { Execute } from '../deps.ts';
import type { PollCursors } from './poll-cursors.ts';

export interface Cursor {
  /** RFC 3339 with microseconds: everything up to then has been processed. */
  readonly lastUpdatedAt: string;
  readonly lastEntityId: string | null;
}

const TYPE = 'PollCursor';
const idOf = (trigger: string): string => `poll-cursor:${trigger}`;

const FIND = 'query PollCursor($id: ID!, $asOf: DateTime) { entity(id: $id, asOf: $asOf) { data } }';
const KEEP =
  'mutation KeepPollCursor($id: ID!, $data: JSON!) { ingestEntity(entityType: "PollCursor", id: $id, data: $data) { id } }';
const SCHEMA = 'query PollCursorSchema { schema(name: "PollCursor") { name } }';
const CREATE =
  'mutation CreatePollCursorSchema($definition: JSON!) { createSchema(definition: $definition) { name } }';
const DEFINITION = {
  name: TYPE,
  version: '1',
  description: 'How far a polling trigger has come.',
  fields: [
    { name: 'trigger_name', field_type: 'string', required: true },
    { name: 'last_updated_at', field_type: 'datetime', required: true },
    { name: 'last_entity_id', field_type: 'string' },
  ],
};

interface Stored {
  readonly last_updated_at: string;
  readonly last_entity_id?: string | null;
}

export async function findCursor(
  execute: Execute,
  trigger: string,
  signal?: AbortSignal,
  asOf: string | null = null,
): Promise<Cursor | null> {
  const { entity } = await execute(FIND, { id: idOf(trigger), asOf }, signal);
  // The document selects it and the schema ensures it.
  const data = (entity as { data: Stored } | null)?.data;
  return data === undefined
    ? null
    : { lastUpdatedAt: data.last_updated_at, lastEntityId: data.last_entity_id ?? null };
}

export async function keepCursor(
  execute: Execute,
  trigger: string,
  { lastUpdatedAt, lastEntityId }: Cursor,
  signal?: AbortSignal,
): Promise<void> {
  await execute(
    KEEP,
    {
      id: idOf(trigger),
      data: { trigger_name: trigger, last_updated_at: lastUpdatedAt, last_entity_id: lastEntityId },
    },
    signal,
  );
}

/**
 * Ensures that the metadata has the type.
 * @param executeAsAdmin only administrators and the platform itself may register schemas
 */
export async function ensureCursorSchema(execute: Execute, executeAsAdmin: Execute): Promise<void> {
  const exists = async (): Promise<boolean> => (await execute(SCHEMA, {}))['schema'] !== null;
  if (await exists()) return;
  try {
    await executeAsAdmin(CREATE, { definition: DEFINITION });
  } catch (error) {
    if (!(error instanceof DomainError) || !(await exists())) throw error; // another process registered it
  }
}

/** The visible part of the cursors. */
export const metadataCursors = (execute: Execute): PollCursors => ({
  async lastSeen(triggers, _, asOf) {
    const found = await Promise.all(
      triggers.map(async (name) => [name, await findCursor(execute, name, undefined, asOf)] as const),
    );
    return new Map(
      found.flatMap(([name, cursor]) => (cursor === null ? [] : [[name, cursor.lastUpdatedAt] as const])),
    );
  },
});
