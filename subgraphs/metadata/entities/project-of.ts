// The project of an entity: one text in its data. An entity whose `project` is not text belongs to no actor's
// project, and is hidden.
import { DomainError, invalid } from '../../../platform/errors.ts';
import { type Identity, PLATFORM_PROJECT } from '../../../platform/identity.ts';
import { assertMember } from '../../../platform/permissions.ts';
import { type EntityData, type EntityType, ownValue } from '../schema-model/entity-type.ts';

/**
 * The project of entities whose `project` is not text: it has no members, so only callers of all projects see
 * them. No entity can be assigned to it.
 */
export const UNREADABLE_PROJECT = '(unreadable)';
/** Poll cursors name entities of every project, and whoever writes them decides what is polled. */
const PLATFORM_TYPES: ReadonlySet<string> = new Set(['PollCursor']);
/** The prefix of these entities' ids, which is reserved for them. */
const PLATFORM_IDS = /^poll-cursor:/;
/** Maximum characters of a project's name: entities are counted by it, and an index entry has its limit. */
const MAX_LENGTH = 200;

/**
 * The fault of a project in data of a type that has the field, as the end of a sentence; null if there is
 * none.
 */
export function projectFault(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string' || value === '')
    return 'must be a single string, because it decides who may see the entity';
  if (value.length > MAX_LENGTH) return `must be at most ${MAX_LENGTH} characters`;
  if (value === UNREADABLE_PROJECT)
    return `must not be ${JSON.stringify(UNREADABLE_PROJECT)}, which is reserved for unreadable projects`;
  return value === PLATFORM_PROJECT
    ? `must not be ${JSON.stringify(PLATFORM_PROJECT)}, which is reserved for Cairn`
    : null;
}

/**
 * Entities of the platform's own types are written by its services and by administrators, of all projects.
 * @throws DomainError `insufficient_role`, `project_scope_denied`; `validation_failed` for an id that is
 * reserved for them
 */
export function assertMayWriteType(author: Identity, type: string, id: string): void {
  if (!PLATFORM_TYPES.has(type)) {
    if (PLATFORM_IDS.test(id)) throw invalid(`ids with this prefix are reserved for Cairn: ${id}`);
    return;
  }
  assertMember(author, PLATFORM_PROJECT);
  if (!author.roles.some((role) => role === 'service' || role === 'admin'))
    throw new DomainError('insufficient_role', `role admin is required to write a ${type}`, {
      required_role: 'admin',
      operation: `write a ${type}`,
    });
}

/** Null for shared entities. */
export function projectOf(type: EntityType, data: EntityData): string | null {
  if (PLATFORM_TYPES.has(type.name)) return PLATFORM_PROJECT;
  const value = type.hasProject ? ownValue(data, 'project') : undefined;
  if (value === undefined || value === null) return null;
  return typeof value === 'string' && projectFault(value) === null ? value : UNREADABLE_PROJECT;
}
