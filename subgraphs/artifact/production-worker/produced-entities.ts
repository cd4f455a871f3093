// Validates the entities that a workflow has made before anything is written, and assigns their ids.
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../platform/canonical-json.ts';
import { isMember, type Identity } from '../../../platform/identity.ts';
import { matchOutput } from '../planning/match-rule.ts';
import { type Criteria, textForm } from '../planning/criteria.ts';
import { placeholderOf } from '../registration/requirement.ts';
import type { EntitySchema } from '../registration/entity-schema.ts';
import { identityOf } from './entity-identity.ts';
import { ProductionFailed } from './production-failed.ts';
import type { MadeEntity } from './read-outputs.ts';

export interface IdentifiedEntity extends MadeEntity {
  readonly id: string;
}

/**
 * A deterministic id (UUID version 8): repeated attempts of the same production give the same entity the same
 * id.
 */
function entityIdOf(productionId: string, output: number, index: number | null): string {
  const hex = createHash('sha256')
    .update(JSON.stringify([productionId, output, index]))
    .digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

/** What distinguishes an entity: its identity, or all fields without `match`. Null where it has none: it is new. */
function distinctionOf({ item, data }: MadeEntity, hasProject: boolean): string | null {
  if (Object.keys(item.match ?? {}).length === 0) return canonicalJson([item.entity_type, data]);
  const identity = identityOf(item, data, hasProject);
  return identity && canonicalJson([identity.entityType, identity.project, identity.digest]);
}

const placeOf = ({ item, index }: MadeEntity): string => {
  const output = item.from_output ?? item.entity_type;
  return index === null ? `output ${output}` : `item ${index} of ${output}`;
};

/**
 * @throws ProductionFailed `ingestion_error` if two are the same entity
 * (docs/reference/artifact.md#one-per-item)
 */
function checkDuplicates(made: readonly MadeEntity[], schemas: ReadonlyMap<string, EntitySchema>): void {
  const seen = new Map<string, MadeEntity>();
  for (const entity of made) {
    const { item, index, data } = entity;
    const distinction = distinctionOf(entity, schemas.get(item.entity_type)?.fields.has('project') === true);
    if (distinction === null) continue;
    const first = seen.get(distinction);
    if (first !== undefined) {
      throw new ProductionFailed(
        'ingestion_error',
        `${placeOf(first)} and ${placeOf(entity)} are the same ${item.entity_type}: nothing was stored`,
        {
          entity_type: item.entity_type,
          items: [first.index, index],
          identity: Object.fromEntries(
            Object.keys(item.match ?? {}).map((name) => [name, data[name] ?? null]),
          ),
        },
      );
    }
    seen.set(distinction, entity);
  }
}

/** @throws ProductionFailed if the workflow has made another entity than `match` says */
function checkMatch({ item, index, data }: MadeEntity, bindings: ReadonlyMap<string, string>): void {
  for (const [field, value] of Object.entries(item.match ?? {})) {
    const placeholder = placeholderOf(value);
    if (placeholder !== null && index !== null) continue; // items have their own values
    const wanted = placeholder === null ? textForm(value) : (bindings.get(placeholder) ?? null);
    const is = textForm(data[field]);
    if (wanted !== null && is !== wanted)
      throw new ProductionFailed(
        'output_invalid',
        `the workflow produced a ${item.entity_type} whose ${field} is ${is ?? 'not set'}, not ${wanted}`,
        { entity_type: item.entity_type, field },
      );
  }
}

/**
 * Fields that describe the file, if the type has them and the workflow does not set them: they make it a DRS
 * object.
 */
function describeFile({ data, files, ...rest }: MadeEntity, { fields }: EntitySchema): MadeEntity {
  const file = files.find(({ field }) => field === 'uri');
  if (file === undefined) return { data, files, ...rest };
  const told: readonly (readonly [string, string, unknown])[] = [
    ['size', 'int', file.size],
    ['sha256', 'string', file.hash.slice('sha256:'.length)],
    ['checksum', 'string', file.hash],
    ['file_name', 'string', file.name],
    ['format', 'string', file.format],
  ];
  const added = told.filter(
    ([name, type, value]) =>
      value !== null &&
      fields.get(name)?.type === type &&
      fields.get(name)?.many === false &&
      !Object.hasOwn(data, name),
  );
  return {
    ...rest,
    files,
    data: { ...data, ...Object.fromEntries(added.map(([name, , value]) => [name, value])) },
  };
}

export interface Wanted {
  readonly productionId: string;
  readonly entityType: string;
  /** That type and its subtypes. */
  readonly types: readonly string[];
  readonly criteria: Criteria;
  readonly bindings: ReadonlyMap<string, string>;
  readonly requester: Identity;
  readonly schemas: ReadonlyMap<string, EntitySchema>;
}

/**
 * The entities with their ids.
 * @throws ProductionFailed if they do not match the request, or the requester may not make them
 */
export function identified(
  made: readonly MadeEntity[],
  { productionId, entityType, types, criteria, bindings, requester, schemas }: Wanted,
): readonly IdentifiedEntity[] {
  checkDuplicates(made, schemas);
  const outputs = [...new Set(made.map(({ item }) => item))];
  const entities = made.map((entity): IdentifiedEntity => {
    checkMatch(entity, bindings);
    const { project } = entity.data;
    if (
      typeof project === 'string' &&
      schemas.get(entity.item.entity_type)?.fields.has('project') === true &&
      !isMember(requester, project)
    ) {
      throw new ProductionFailed(
        'output_invalid',
        `the workflow produced a ${entity.item.entity_type} of the project ${project}, of which ${requester.actor} is not a member`,
      );
    }
    const schema = schemas.get(entity.item.entity_type);
    return {
      ...(schema ? describeFile(entity, schema) : entity),
      id: entityIdOf(productionId, outputs.indexOf(entity.item), entity.index),
    };
  });
  const own = entities.filter(({ item }) => types.includes(item.entity_type));
  const fits = ({ item, data }: MadeEntity): boolean =>
    [...criteria].every(
      ([field, value]) => textForm(data[field]) === value || matchesFixed(item, field, value),
    );
  if (!own.some(fits)) {
    throw new ProductionFailed(
      'output_invalid',
      own.length === 0
        ? `the workflow produced no ${entityType}`
        : `no ${entityType} that the workflow produced matches the request`,
      { entity_type: entityType, criteria: Object.fromEntries(criteria) },
    );
  }
  return [...entities].sort(
    (a, b) => Number(own.includes(b) && fits(b)) - Number(own.includes(a) && fits(a)),
  );
}

/** A fixed identity value that the workflow does not output. */
const matchesFixed = (item: MadeEntity['item'], field: string, value: string): boolean =>
  matchOutput(item, new Map([[field, value]]), []).matches && textForm(item.match?.[field]) === value;
