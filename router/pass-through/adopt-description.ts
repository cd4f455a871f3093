// Merges a component's own OpenAPI description: with the gateway's paths and with unique names
// (docs/reference/gateway.md#openapi-description).
import { isObject } from '../../platform/json-object.ts';

type Json = Readonly<Record<string, unknown>>;

/** Sections of `components` that are merged. Not `securitySchemes`: callers authenticate at the gateway. */
const SECTIONS = [
  'schemas',
  'responses',
  'parameters',
  'examples',
  'requestBodies',
  'headers',
  'links',
  'callbacks',
  'pathItems',
] as const;
export type Section = (typeof SECTIONS)[number];
const METHODS: ReadonlySet<string> = new Set([
  'get',
  'put',
  'post',
  'delete',
  'options',
  'head',
  'patch',
  'trace',
]);

export interface AdoptedDescription {
  readonly paths: Json;
  readonly components: Readonly<Partial<Record<Section, Json>>>;
}

const objectAt = (value: unknown, key: string): Json => {
  const member = isObject(value) ? value[key] : undefined;
  return isObject(member) ? member : {};
};

const without = (value: Json, ...keys: readonly string[]): Json =>
  Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)));

/** Members whose keys are names chosen by the component, not keywords of OpenAPI. */
const NAMED: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'mapping',
  'content',
  'headers',
  'encoding',
  'responses',
  'links',
  'callbacks',
  'examples',
]);
/** Members that contain data: nothing in them is a reference. */
const DATA: ReadonlySet<string> = new Set(['example', 'default', 'enum', 'const', 'value']);

/** Keywords of OpenAPI 3.0 schemas that differ from 3.1. */
function modern(schema: Json): Json {
  const { nullable, ...rest } = schema;
  const said: Record<string, unknown> = rest;
  for (const [bound, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    const holds = said[exclusive];
    if (typeof holds !== 'boolean') continue;
    const { [bound]: limit } = said;
    delete said[exclusive];
    if (!holds || typeof limit !== 'number') continue;
    delete said[bound];
    said[exclusive] = limit;
  }
  if (nullable !== true) return said;
  return typeof said['type'] === 'string'
    ? { ...said, type: [said['type'], 'null'] }
    : { anyOf: [said, { type: 'null' }] };
}

/**
 * The part of the merged description for `description` under `prefix`; undefined for anything but OpenAPI 3.
 * References, component names and operation ids are prefixed with the component's name. Its servers and
 * security are omitted: the gateway's apply.
 */
export function adoptDescription(
  name: string,
  prefix: string,
  description: unknown,
): AdoptedDescription | undefined {
  if (
    !isObject(description) ||
    typeof description['openapi'] !== 'string' ||
    !/^3\.[01]\./.test(description['openapi'])
  )
    return undefined;
  const isOld = description['openapi'].startsWith('3.0.');

  const reference = (target: string): string =>
    target
      .replace(/^#\/components\/([A-Za-z]+)\//, `#/components/$1/${name}_`)
      .replace(/^#\/paths\/~1/, `#/paths/${prefix.replaceAll('/', '~1')}~1`);
  const walked = (value: unknown, keysAreNames = false): unknown => {
    if (Array.isArray(value)) return value.map((item) => walked(item));
    if (!isObject(value)) return value;
    const seen = Object.fromEntries(
      Object.entries(value).map(([key, member]): [string, unknown] => {
        if (keysAreNames) return [key, typeof member === 'string' ? reference(member) : walked(member)];
        if (DATA.has(key)) return [key, member];
        if (key === '$ref' && typeof member === 'string') return [key, reference(member)];
        if (key === 'operationId' && typeof member === 'string') return [key, `${name}_${member}`];
        return [key, walked(member, NAMED.has(key))];
      }),
    );
    return isOld && !keysAreNames ? modern(seen) : seen;
  };

  const operation = (member: Json): unknown =>
    walked({ ...without(member, 'security', 'servers'), tags: [name] });
  const memberOfItem = (key: string, part: unknown): unknown => {
    if (METHODS.has(key) && isObject(part)) return operation(part);
    return key === '$ref' && typeof part === 'string' ? reference(part) : walked(part);
  };
  const item = (member: Json): Json =>
    Object.fromEntries(
      Object.entries(without(member, 'servers')).map(([key, part]) => [key, memberOfItem(key, part)]),
    );

  const paths = Object.entries(objectAt(description, 'paths')).flatMap(([path, member]): [string, Json][] =>
    path.startsWith('/') && isObject(member) ? [[prefix + path, item(member)]] : [],
  );
  const components = SECTIONS.flatMap((section): [Section, Json][] => {
    const named = Object.entries(objectAt(objectAt(description, 'components'), section));
    return named.length === 0
      ? []
      : [[section, Object.fromEntries(named.map(([key, member]) => [`${name}_${key}`, walked(member)]))]];
  });
  return { paths: Object.fromEntries(paths), components: Object.fromEntries(components) };
}
