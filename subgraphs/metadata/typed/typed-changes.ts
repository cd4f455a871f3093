// The changes of the typed part since a revision, for followers in other processes.
import { oncePer } from '../../../platform/once-per.ts';
import { createHash } from 'node:crypto';
import { addedFieldSdl } from './added-field-sdl.ts';
import { enumSdl, typeSdl } from './typed-sdl.ts';
import { typeNamesOf } from './typed-roles.ts';
import { addedFieldsOf, outlined, type TypedType, type TypedTypes } from './typed-types.ts';

export interface NamedSdl {
  readonly name: string;
  readonly sdl: string;
}
export interface AddedSdl extends NamedSdl {
  /** The type that the field is added to. */
  readonly on: string;
}
export interface TypedPart {
  readonly schema: string;
  readonly since: string;
  readonly types: readonly NamedSdl[];
  readonly fields: readonly AddedSdl[];
}

export interface TypedChanges {
  readonly schemas: readonly TypedPart[];
  /** The revision for the next request. */
  readonly upTo: string;
  readonly isLast: boolean;
  /** Digest of all schemas and their revisions: a follower of every change computes the same. */
  readonly digest: string;
}

/** Number of schemas per answer, which is written in one go; more if one change concerns more. */
const PAGE = 20;

const REVISION = /^\d{1,9}$/;
const digestOf = oncePer((typed: TypedTypes): string => {
  const lines = [...typed.since()].map(({ schema, since }) => `${schema}@${since}`).sort();
  return createHash('sha256').update(lines.join('\n')).digest('hex');
});

/** Written once for whoever asks, however often. */
const definitionsOf = oncePer((type: TypedType): Pick<TypedPart, 'types' | 'fields'> => ({
  types: [
    ...typeNamesOf(outlined(type)).map(([role, name]) => ({ name, sdl: typeSdl(type, role) })),
    ...type.fields.flatMap((field) =>
      field.words?.isOwn ? [{ name: field.words.name, sdl: enumSdl(field) }] : [],
    ),
  ],
  fields: addedFieldsOf(type).map(({ on, name, field }) => ({ on, name, sdl: addedFieldSdl(field, name) })),
}));

/**
 * Oldest first.
 * @param since a revision; an invalid one, or one in the future, stands for the beginning
 */
export function changesSince(revision: number, typed: TypedTypes, since: string | null): TypedChanges {
  const given = since !== null && REVISION.test(since) ? Number(since) : 0;
  const after = given > revision ? 0 : given;
  const changed = [...typed.since()].filter((one) => one.since > after).sort((a, b) => a.since - b.since);
  const last = changed[PAGE - 1]?.since ?? revision;
  const told = changed.filter((one) => one.since <= last);
  const isLast = told.length === changed.length;
  return {
    schemas: told.map(({ schema, since: from }) => ({
      schema,
      since: String(from),
      ...definitionsOf(typed.ofSchema(schema)),
    })),
    upTo: String(isLast ? revision : last),
    isLast,
    digest: digestOf(typed),
  };
}
