// The project that an entity belongs to: one text of its data. What is no text belongs to nobody, and is hidden.
import { type EntityData, type EntityType, ownValue } from '../schemas/entity-type.ts';

/** Of entities whose `project` is no text: no actor is in it, so that only those who see all projects see them. Nothing can be given it. */
export const UNREADABLE_PROJECT = '(unreadable)';
/** Most characters of a project's name: entities are counted by it, and an index entry has its limit. */
const LONGEST = 200;

/** What is wrong with a project in data of a type that has the field, as the end of a sentence; null where nothing is. */
export function projectFault(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string' || value === '') return 'must be one text: it says who may see the entity';
  if (value.length > LONGEST) return `must be at most ${LONGEST} characters`;
  return value === UNREADABLE_PROJECT
    ? `must not be ${JSON.stringify(UNREADABLE_PROJECT)}: it stands for what cannot be read`
    : null;
}

/** Null for what all projects share. */
export function projectOf(type: EntityType, data: EntityData): string | null {
  const value = type.hasProject ? ownValue(data, 'project') : undefined;
  if (value === undefined || value === null) return null;
  return typeof value === 'string' && projectFault(value) === null ? value : UNREADABLE_PROJECT;
}
