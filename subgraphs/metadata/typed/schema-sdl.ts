// All types and fields of one schema as one SDL, for tools that read all of it.
import { addedFieldSdl } from './added-field-sdl.ts';
import { enumSdl, typeSdl } from './typed-sdl.ts';
import { typeNamesOf } from './typed-roles.ts';
import { addedFieldsOf, outlined, type TypedType } from './typed-types.ts';

/** Their costs are the server's own affair: an SDL without them stands for itself. */
const WITHOUT_COSTS = { costs: false };

/** @param isRegistered whether what is referred to has a schema, and so a type for what refers to it */
export const schemaSdl = (type: TypedType, isRegistered: (schema: string) => boolean): string =>
  [
    ...typeNamesOf(outlined(type)).map(([role]) => typeSdl(type, role)),
    ...type.fields.filter(({ words }) => words?.isOwn).map((field) => enumSdl(field, { isOpen: false })),
    ...addedFieldsOf(type)
      .filter(({ field }) => field.role !== 'reverse' || isRegistered(field.field.target?.schema ?? ''))
      .map(({ on, name, field }) => `extend type ${on} {\n  ${addedFieldSdl(field, name, WITHOUT_COSTS)}\n}`),
  ].join('\n');
