// Entities as the caller sees them in metadata: a request never resolves to an entity that is invisible to
// its caller.
import type { Caller } from '../../../platform/identity.ts';
import { storedFileAddress, storedHashIn } from '../../../platform/stored-file-address.ts';
import { type AskPlatform, question } from '../platform-port.ts';
import { type Criteria, textForm } from './criteria.ts';

export interface StoredEntity {
  readonly id: string;
  readonly entityType: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly version: number;
  readonly isAvailable: boolean;
}

export interface EntityPage {
  readonly items: readonly StoredEntity[];
  readonly total: number;
  readonly nextCursor: string | null;
}

const FIELDS = 'items { id entityType data version isAvailable }';
const FIND = `query ArtifactEntities($entityType: String!, $fields: [FieldFilter!], $limit: Int!, $includeUnavailable: Boolean!) {
  entities(entityType: $entityType, fields: $fields, limit: $limit, orderBy: "-created_at", includeUnavailable: $includeUnavailable) { ${FIELDS} }
}`;
const LIST = `query ArtifactCollection($entityType: String!, $fields: [FieldFilter!], $limit: Int!, $cursor: String) {
  entities(entityType: $entityType, fields: $fields, limit: $limit, cursor: $cursor) { ${FIELDS} total nextCursor }
}`;

const filters = (criteria: Criteria): readonly { name: string; values: readonly string[] }[] =>
  [...criteria].map(([name, value]) => ({ name, values: [value] }));

/** The address of its file; that of a stored file as it is now, whatever it was when the entity was written. */
export function uriOf({ data }: StoredEntity, publicUrl: string): string | null {
  const { uri } = data;
  if (typeof uri !== 'string') return null;
  const hash = storedHashIn(uri);
  return hash === null ? uri : storedFileAddress(publicUrl, hash);
}

/** The projects of entities; none for shared ones (docs/reference/artifact.md#who-sees-a-production). */
export const projectsOf = (entities: readonly StoredEntity[]): readonly string[] =>
  [
    ...new Set(entities.flatMap(({ data: { project } }) => (typeof project === 'string' ? [project] : []))),
  ].sort();

/** An entity's own value of a field, in its text form. */
export const fieldText = ({ id, data }: StoredEntity, field: string): string | null =>
  field === 'id' ? id : textForm(Object.hasOwn(data, field) ? data[field] : undefined);

/** Entities as one caller sees them. */
export class Entities {
  readonly #ask: AskPlatform;
  readonly #caller: Caller;

  constructor(ask: AskPlatform, caller: Caller) {
    this.#ask = ask;
    this.#caller = caller;
  }

  /**
   * The newest entities with exactly these values.
   * @throws DomainError as metadata refuses: `validation_failed` for an unknown field
   */
  async find(
    entityType: string,
    criteria: Criteria,
    limit: number,
    includeUnavailable = false,
  ): Promise<readonly StoredEntity[]> {
    const { items } = await question<Pick<EntityPage, 'items'>>(
      this.#ask,
      FIND,
      'entities',
      { entityType, fields: filters(criteria), limit, includeUnavailable },
      this.#caller,
    );
    return items;
  }

  /** One page of them, in order of creation. */
  async list(
    entityType: string,
    criteria: Criteria,
    limit: number,
    cursor: string | null,
  ): Promise<EntityPage> {
    return question<EntityPage>(
      this.#ask,
      LIST,
      'entities',
      { entityType, fields: filters(criteria), limit, cursor },
      this.#caller,
    );
  }
}
