// `cairn schemas` lists, shows, compares and registers types, and lists references without a valid target.
import type { Command } from 'commander';
import { parse as parseYaml } from 'yaml';
import { isObject } from '../../platform/json-object.ts';
import { type Api, type Json, member, route, rows } from '../api.ts';
import { ApiFailure } from '../api-failure.ts';
import { clientCommand, clientOf, type CommonOptions, group, readInput, wholeNumber } from '../command.ts';
import { Failure, UsageFailure } from '../failure.ts';
import { type ListOptions, pagedCommand, printList, printsList } from '../list.ts';
import { facts, type Paint, type Printer, table } from '../output.ts';
import { ITEMS, moreBelow, readPages } from '../pages.ts';
import { type DiffOptions, printParts, printsPatch } from '../part-differences.ts';
import { checkDefinition, type CheckedDefinition, checkText } from '../schemas/dry-run.ts';
import { differenceLine, definitionDifferences } from '../schema-differences.ts';
import type { Session } from '../session.ts';
import { inferSchemaCommand } from './schemas-infer.ts';

interface FaultsOptions extends ListOptions {
  readonly limit?: number;
  readonly cursor?: string;
}

const list = (session: Session): Command =>
  printsList(clientCommand('list', 'list the types', ['schemas list', 'schemas list -o yaml'])).action(
    async (options: ListOptions) => {
      const { api } = clientOf(session, options);
      const schemas = rows(await api.call({ path: '/api/v1/metadata/schemas' }), 'data');
      printList(session, options, {
        answer: schemas,
        items: schemas,
        columns: {
          TYPE: 'name',
          VERSION: 'version',
          PARENT: 'parent',
          FIELDS: (schema) => rows(schema, 'fields').length,
          DESCRIPTION: 'description',
        },
      });
    },
  );

const schemaOf = async (api: Api, name: string): Promise<Json> => {
  const schema = member(await api.call({ path: route`/api/v1/metadata/schemas/${name}` }), 'data');
  return isObject(schema) ? schema : {};
};

const FIELD_COLUMNS = ['FIELD', 'TYPE', 'REQUIRED', 'UNIQUE', 'DESCRIPTION'];

/** The type of a field, with what it refers to or may be. */
function typeOf(field: Json): string {
  const values = Array.isArray(field['values']) ? ` ${field['values'].join(' | ')}` : '';
  const target = typeof field['references'] === 'string' ? ` ${field['references']}` : '';
  return `${String(field['field_type'])}${target}${values}${field['many'] === true ? ' []' : ''}`;
}

function details(paint: Paint, schema: Json): string {
  const { fields: _, ...rest } = schema;
  const mark = (value: unknown): string => (value === true ? 'yes' : '');
  const cells = rows(schema, 'fields').map((field) => [
    field['name'],
    typeOf(field),
    mark(field['required']),
    mark(field['unique']),
    field['description'] ?? '',
  ]);
  return `${facts(paint, rest)}\n${table(paint, FIELD_COLUMNS, cells)}`;
}

const show = (session: Session): Command =>
  printsList(
    clientCommand('show', 'show one type with its fields', [
      'schemas show Sample',
      'schemas show Sample -o yaml',
    ]),
  )
    .argument('<type>', 'entity type')
    .action(async (type: string, options: ListOptions) => {
      const { api, printer } = clientOf(session, options);
      const schema = await schemaOf(api, type);
      if (options.output === undefined || options.output === 'table')
        printer.answer(schema, (paint) => details(paint, schema));
      else
        printList(session, options, {
          answer: schema,
          items: options.output === 'ndjson' ? [schema] : rows(schema, 'fields'),
          columns: {},
        });
    });

/** A definition, in JSON or YAML. */
async function definitionIn(session: Session, file: string): Promise<Json & { readonly name: string }> {
  let value: unknown;
  try {
    value = parseYaml(await readInput(session, file)); // JSON is YAML
  } catch (cause) {
    if (cause instanceof UsageFailure) throw cause;
    throw new UsageFailure(
      `${file} is neither JSON nor YAML: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
  if (isObject(value) && typeof value['name'] === 'string') return { ...value, name: value['name'] };
  throw new UsageFailure(`${file} must hold an object with name, version and fields`);
}

interface RegisterOptions extends CommonOptions {
  readonly dryRun?: boolean;
}

/** @throws Failure where stored entities contradict a definition */
async function dryRun(
  api: Api,
  definitions: readonly (Json & { readonly name: string })[],
  printer: Printer,
): Promise<void> {
  const checked: CheckedDefinition[] = [];
  for (const definition of definitions) checked.push(await checkDefinition(api, definition));
  printer.answer({ checked }, (paint) => checked.map((one) => checkText(paint, one)).join('\n'));
  const refused = checked.filter(
    ({ contradictions, is_complete: isComplete }) => contradictions.length > 0 || !isComplete,
  );
  if (refused.length > 0)
    throw new Failure(`${refused.map(({ name }) => name).join(', ')} would be refused`, {
      names: refused.map(({ name }) => name),
    });
}

const register = (session: Session): Command =>
  clientCommand('register', 'register types, or new versions of types, from JSON or YAML files', [
    'schemas register sample.yaml',
    'schemas register population.json sample.json',
    'schemas register sample.yaml --dry-run',
  ])
    .argument('<file...>', 'files with one definition each, in this order; - for standard input')
    .option('--dry-run', 'say what would change, and which entities contradict it; register nothing')
    .action(async (files: readonly string[], options: RegisterOptions) => {
      const { api, printer } = clientOf(session, options);
      const definitions = await Promise.all(files.map((file) => definitionIn(session, file)));
      if (options.dryRun === true) return dryRun(api, definitions, printer);
      const registered: unknown[] = [];
      // One after the other: a type may refer to one before it
      for (const body of definitions) {
        const answer = await api.call({ method: 'POST', path: '/api/v1/metadata/schemas', body });
        registered.push(member(answer, 'data'));
      }
      printer.answer({ registered }, () =>
        registered
          .map((one) => `${String(member(one, 'name'))} ${String(member(one, 'version'))} is registered`)
          .join('\n'),
      );
    });

interface SchemaDiffOptions extends DiffOptions {
  readonly type?: string;
  readonly from?: string;
  readonly to?: string;
  readonly toType?: string;
}

async function registeredDiff(session: Session, options: SchemaDiffOptions): Promise<void> {
  const { api } = clientOf(session, options);
  const answer = await api.call({
    path: route`/api/v1/metadata/schemas/${options.type ?? ''}/diff`,
    query: { from: options.from, to: options.to, to_name: options.toType },
  });
  printParts(session, options, member(answer, 'data'));
}

const diff = (session: Session): Command =>
  printsPatch(
    clientCommand(
      'diff',
      'compare a definition in a file with the registered type (exits with status 1 if they differ), or two versions of a type',
      [
        'schemas diff sample.yaml',
        'schemas diff --type Sample --from 1.0.0',
        'schemas diff --type Sample --to-type Specimen',
      ],
    ),
  )
    .argument('[file]', 'file with a definition; - for standard input')
    .option('-t, --type <type>', 'a registered type, compared by its versions or with another')
    .option('--from <version>', 'its version (default: the current one)')
    .option('--to <version>', 'the version to compare it with (default: the current one)')
    .option('--to-type <type>', 'the type to compare it with (default: the same)')
    .action(async (file: string | undefined, options: SchemaDiffOptions) => {
      if ((file === undefined) === (options.type === undefined))
        throw new UsageFailure('give a file with a definition, or --type to compare registered types');
      if (file === undefined) return registeredDiff(session, options);
      const wrong = (['from', 'to', 'toType', 'patch'] as const).find((name) => options[name] !== undefined);
      if (wrong !== undefined)
        throw new UsageFailure('a file is compared with the type as it is registered now, without a patch');
      const { api, printer } = clientOf(session, options);
      const definition = await definitionIn(session, file);
      const registered = await schemaOf(api, definition.name).catch((fault: unknown): Json => {
        if (fault instanceof ApiFailure && fault.status === 404) return { fields: [] };
        throw fault;
      });
      const differences = definitionDifferences(registered, definition);
      printer.answer({ name: definition.name, differences }, (paint) =>
        differences.length === 0
          ? `${definition.name} is registered like this`
          : differences.map((one) => differenceLine(paint, one)).join('\n'),
      );
      if (differences.length > 0)
        throw new Failure(`${definition.name} differs from what is registered`, { name: definition.name });
    });

const referenceFaults = (session: Session): Command =>
  pagedCommand('reference-faults', 'list references to entities that do not exist or have another type', [
    'schemas reference-faults Sample',
    'schemas reference-faults Sample --limit 1000 --json',
  ])
    .argument('<type>', 'entities of this type and its subtypes')
    .option('-n, --limit <n>', 'references in a page (default 100)', wholeNumber(1, 1000))
    .option('--cursor <cursor>', 'cursor of an earlier page, to continue after it')
    .action(async (type: string, options: FaultsOptions) => {
      const { api } = clientOf(session, options);
      const path = route`/api/v1/metadata/schemas/${type}/reference-faults`;
      const query = { limit: options.limit, cursor: options.cursor };
      const faults = await readPages(api, { path, query }, ITEMS, options);
      printList(session, options, {
        ...faults,
        columns: {
          ENTITY: 'entity_id',
          TYPE: 'entity_type',
          FIELD: 'field',
          'REFERS TO': 'target_id',
          WHICH: (fault) =>
            fault['reason'] === 'missing'
              ? 'does not exist'
              : `is a ${String(fault['actual_entity_type'])}, not a ${String(fault['target_entity_type'])}`,
        },
        footer: moreBelow(faults),
      });
    });

export const schemasCommand = (session: Session): Command =>
  group('schemas', 'list, show, compare, register and infer types; check references', [
    list(session),
    show(session),
    diff(session),
    register(session),
    inferSchemaCommand(session),
    referenceFaults(session),
  ]);
