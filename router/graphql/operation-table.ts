// Which list of an operation is its table, and the columns of that, told by its document before anything runs
// (docs/reference/api-conventions.md#tables-of-operations).
import {
  type DocumentNode,
  type FieldNode,
  getDirectiveValues,
  getNamedType,
  getNullableType,
  GraphQLIncludeDirective,
  type GraphQLFieldMap,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  GraphQLString,
  isInterfaceType,
  isLeafType,
  isListType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import { badRequest } from '../../platform/errors.ts';
import type { ColumnKind, TableColumn } from '../../platform/table-formats/table.ts';
import { operationNamed } from '../execution/prepare-operation.ts';

/** The list of an operation: where it is in the answer, and what a row of it has. */
export interface OperationTable {
  readonly rows: (data: unknown) => readonly unknown[];
  readonly columns: readonly TableColumn[];
}

type Path = readonly string[];
type Row = Readonly<Record<string, unknown>>;

/** A name of the answer, with all that is selected below it. */
interface Selected {
  readonly key: string;
  readonly type: GraphQLOutputType;
  readonly below: Selection;
}

/** What is selected of one type, in several places and under several conditions. */
type Selection = readonly { readonly type: GraphQLNamedType; readonly set: SelectionSetNode }[];

const KINDS: Readonly<Record<string, ColumnKind>> = {
  Int: 'int',
  SafeInt: 'int',
  Float: 'float',
  Boolean: 'bool',
  DateTime: 'datetime',
  JSON: 'json',
  ProvenanceContext: 'json',
};

const memberOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? (value as Row)[key] : null; // an object, as checked

const at = (value: unknown, path: Path): unknown => path.reduce(memberOf, value);

const isList = ({ type }: Selected): boolean => isListType(getNullableType(type));

const fieldsOf = (type: GraphQLNamedType): GraphQLFieldMap<unknown, unknown> =>
  isObjectType(type) || isInterfaceType(type) ? type.getFields() : {};

/** Reads the selections of a valid document. */
class Reader {
  readonly #schema: GraphQLSchema;
  readonly #fragments: ReadonlyMap<string, { readonly on: string; readonly set: SelectionSetNode }>;
  readonly #variables: Readonly<Record<string, unknown>>;

  constructor(schema: GraphQLSchema, document: DocumentNode, variables: Readonly<Record<string, unknown>>) {
    this.#schema = schema;
    this.#variables = variables;
    this.#fragments = new Map(
      document.definitions.flatMap((one) =>
        one.kind === Kind.FRAGMENT_DEFINITION
          ? [[one.name.value, { on: one.typeCondition.name.value, set: one.selectionSet }] as const]
          : [],
      ),
    );
  }

  /** The names of the answer, in their order, each once: fields of one name have one shape. */
  of(selection: Selection): readonly Selected[] {
    const found = new Map<string, { type: GraphQLOutputType; below: Selection[number][] }>();
    const add = (parent: GraphQLNamedType, field: FieldNode): void => {
      const type =
        field.name.value === '__typename' ? GraphQLString : fieldsOf(parent)[field.name.value]?.type;
      if (type === undefined) return; // of a schema that has just changed
      const key = field.alias?.value ?? field.name.value;
      const known = found.get(key) ?? { type, below: [] };
      if (field.selectionSet) known.below.push({ type: getNamedType(type), set: field.selectionSet });
      found.set(key, known);
    };
    const walk = (parent: GraphQLNamedType, set: SelectionSetNode): void => {
      for (const one of set.selections) {
        if (this.#isSkipped(one)) continue;
        if (one.kind === Kind.FIELD) add(parent, one);
        else if (one.kind === Kind.INLINE_FRAGMENT)
          walk(this.#typeOf(one.typeCondition?.name.value) ?? parent, one.selectionSet);
        else {
          const fragment = this.#fragments.get(one.name.value);
          if (fragment) walk(this.#typeOf(fragment.on) ?? parent, fragment.set);
        }
      }
    };
    for (const { type, set } of selection) walk(type, set);
    return [...found].map(([key, value]) => ({ key, ...value }));
  }

  #typeOf(name: string | undefined): GraphQLNamedType | undefined {
    return name === undefined ? undefined : this.#schema.getType(name);
  }

  #isSkipped(node: Parameters<typeof getDirectiveValues>[1]): boolean {
    const skip = getDirectiveValues(GraphQLSkipDirective, node, this.#variables);
    const include = getDirectiveValues(GraphQLIncludeDirective, node, this.#variables);
    return skip?.['if'] === true || include?.['if'] === false;
  }
}

interface FoundList {
  readonly path: Path;
  readonly rows: (data: unknown) => readonly unknown[];
  readonly list: Selected;
}

const itemsAt = (data: unknown, path: Path): readonly unknown[] => {
  const value = at(data, path);
  return Array.isArray(value) ? value : [];
};

/** The nodes of a connection, under whatever name they were asked for; null for anything else. */
function nodesOf(reader: Reader, path: Path, below: readonly Selected[]): FoundList | null {
  const named = (key: string): Selected | undefined =>
    below.find((one) => one.key === key && isList(one) && one.below.length > 0);
  const nodes = named('nodes');
  if (nodes) return { path, list: nodes, rows: (data) => itemsAt(data, [...path, 'nodes']) };
  const edges = named('edges');
  const node = edges && reader.of(edges.below).find(({ key }) => key === 'node');
  if (!node) return null;
  const rows = (data: unknown): unknown[] =>
    itemsAt(data, [...path, 'edges']).map((edge) => memberOf(edge, 'node'));
  return { path, list: node, rows };
}

/** All lists that are in no other. */
function listsBelow(reader: Reader, selected: readonly Selected[], path: Path): FoundList[] {
  return selected.flatMap((one): FoundList[] => {
    const here = [...path, one.key];
    if (isList(one)) return [{ path: here, list: one, rows: (data) => itemsAt(data, here) }];
    const below = reader.of(one.below);
    const nodes = nodesOf(reader, here, below);
    return nodes === null ? listsBelow(reader, below, here) : [nodes];
  });
}

/** The fields of inner objects under their paths; lists of objects as JSON. */
function columnsBelow(reader: Reader, selected: readonly Selected[], path: Path): TableColumn[] {
  return selected.flatMap((one): TableColumn[] => {
    const here = [...path, one.key];
    const named = getNamedType(one.type);
    const [many, isLeaf] = [isList(one), isLeafType(named)];
    if (!isLeaf && !many) return columnsBelow(reader, reader.of(one.below), here);
    const kind = isLeaf ? (KINDS[named.name] ?? 'string') : 'json';
    return [{ name: here.join('.'), kind, many: many && isLeaf, value: (row) => at(row, here) }];
  });
}

/**
 * The table of a valid operation.
 * @throws DomainError `invalid_request` for one that writes, and for one without a list of objects or with several
 */
export function tableOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | undefined,
  variables: Readonly<Record<string, unknown>>,
): OperationTable {
  const { operation, selectionSet: set } = operationNamed(document, operationName);
  const root = schema.getRootType(operation);
  if (operation !== 'query' || !root) throw badRequest('only what a query answers is sent as a table');
  const reader = new Reader(schema, document, variables);
  const lists = listsBelow(reader, reader.of([{ type: root, set }]), []);
  const [only] = lists;
  if (only === undefined)
    throw badRequest('the operation has no list, and a table is of one: ask for JSON instead');
  if (lists.length > 1)
    throw badRequest(
      `the operation has ${lists.length} lists, and a table is of one: ${lists.map(({ path }) => path.join('.')).join(', ')}`,
    );
  const columns = columnsBelow(reader, reader.of(only.list.below), []);
  if (columns.length === 0)
    throw badRequest(`the list ${only.path.join('.')} has no fields, which are the columns of a table`);
  return { rows: only.rows, columns };
}
