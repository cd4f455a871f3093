// Entity types from the metadata component, against which a rule's outputs are checked.
import { type DomainError, notFound } from '../../../platform/errors.ts';
import { callerAsOf } from '../../../platform/caller-with.ts';
import type { Caller } from '../../../platform/identity.ts';
import { orMeant } from '../../../platform/suggestions.ts';
import { meantName } from '../../../platform/warnings.ts';
import { type AskPlatform, question } from '../platform-port.ts';

export interface EntityField {
  readonly name: string;
  /**
   * The canonical name of the type, whatever alias it was declared with
   * (docs/reference/artifact.md#type-mapping).
   */
  readonly type: string;
  readonly required: boolean;
  readonly many: boolean;
  /** The values of an enum. */
  readonly values: readonly string[];
}

export interface EntitySchema {
  readonly name: string;
  readonly fields: ReadonlyMap<string, EntityField>;
  /** Its subtypes. */
  readonly subtypes: readonly string[];
}

const SCHEMA =
  'query ArtifactSchema($name: String!) { schema(name: $name) { name subtypes allFields { name fieldType required many values } } }';

const NAMES = 'query ArtifactSchemaNames { schemas { name } }';

const ALIASES: Readonly<Record<string, string>> = {
  text: 'string',
  integer: 'int',
  number: 'float',
  double: 'float',
  boolean: 'bool',
  timestamp: 'datetime',
  object: 'json',
  dict: 'json',
  list: 'json',
  reference: 'ref',
};

interface AnsweredField {
  readonly name: string;
  readonly fieldType: string;
  readonly required: boolean;
  readonly many: boolean;
  readonly values: readonly string[] | null;
}

/** Fields are judged by the schemas of now, as of whatever time is read. */
const ofNow = (caller: Caller): Caller =>
  caller.asOf === undefined ? caller : callerAsOf(caller, undefined);

/** The message for an unknown type, with a suggestion. */
export async function noSuchType(ask: AskPlatform, name: string, caller: Caller): Promise<DomainError> {
  const known = await question<readonly { name: string }[]>(ask, NAMES, 'schemas', {}, ofNow(caller));
  const meant = meantName(
    name,
    known.map((type) => type.name),
  );
  return notFound('entity type', `${name}${orMeant(meant)}`);
}

/**
 * The type with a name, inherited fields included; null if there is none.
 * @throws DomainError `component_unavailable`
 */
export async function findSchema(
  ask: AskPlatform,
  name: string,
  caller: Caller,
): Promise<EntitySchema | null> {
  const found = await question<{
    name: string;
    subtypes: readonly string[];
    allFields: readonly AnsweredField[];
  } | null>(ask, SCHEMA, 'schema', { name }, ofNow(caller));
  return (
    found && {
      name: found.name,
      subtypes: found.subtypes,
      fields: new Map(
        found.allFields.map(({ fieldType, values, ...field }) => [
          field.name,
          {
            ...field,
            type: (Object.hasOwn(ALIASES, fieldType) ? ALIASES[fieldType] : undefined) ?? fieldType,
            values: values ?? [],
          },
        ]),
      ),
    }
  );
}
