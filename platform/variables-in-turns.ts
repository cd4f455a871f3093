// Coerces long lists among an operation's variables in turns with others: executors coerce all variables in one go, which
// takes a tenth of a second for the 20,000 entities that a bulk may have.
import {
  coerceInputValue,
  type DocumentNode,
  getOperationAST,
  getVariableValues,
  GraphQLError,
  type GraphQLInputType,
  GraphQLScalarType,
  type GraphQLSchema,
  isInputType,
  isListType,
  isNonNullType,
  Kind,
  typeFromAST,
  type VariableDefinitionNode,
  visit,
} from 'graphql';
import { Turn } from './turns.ts';

type Values = Readonly<Record<string, unknown>>;

/** Items from which on a list is long. */
const LONG = 256;
/** As many faults as the executor tells. */
const MAX_FAULTS = 50;

const TOO_MANY = 'Too many errors processing variables, error limit reached. Execution aborted.';

/** The type of variables that are coerced already. No type of a schema may have such a name. */
const COERCED = new GraphQLScalarType({ name: '__Coerced', parseValue: (value) => value });

export type Coercion = { readonly values: Values } | { readonly errors: readonly GraphQLError[] };

export interface ListVariables {
  /** What is executed with the coerced values: its lists are taken as they are. Made for operations that have a long one. */
  executable(): { readonly schema: GraphQLSchema; readonly document: DocumentNode };
  hasLong(variables: Values): boolean;
  /** The values with their lists coerced, or the faults of all variables, as the executor tells them. */
  coerced(variables: Values): Promise<Coercion>;
}

/** What the items of the variable's list have to be; undefined where it is no list. */
function itemType(schema: GraphQLSchema, { type }: VariableDefinitionNode): GraphQLInputType | undefined {
  const declared = typeFromAST(schema, type);
  const list = isNonNullType(declared) ? declared.ofType : declared;
  return isListType(list) && isInputType(list.ofType) ? list.ofType : undefined;
}

class Faults {
  readonly all: GraphQLError[] = [];

  get areTooMany(): boolean {
    return this.all.length > MAX_FAULTS;
  }

  add(faults: readonly GraphQLError[]): void {
    for (const fault of faults) {
      if (this.all.length < MAX_FAULTS) this.all.push(fault);
      else if (this.all.length === MAX_FAULTS) this.all.push(new GraphQLError(TOO_MANY));
    }
  }
}

/** A variable of a list. */
class ListVariable {
  readonly #schema: GraphQLSchema;
  readonly #node: VariableDefinitionNode;
  readonly #items: GraphQLInputType;

  constructor(schema: GraphQLSchema, node: VariableDefinitionNode, items: GraphQLInputType) {
    this.#schema = schema;
    this.#node = node;
    this.#items = items;
  }

  async coerced(items: readonly unknown[], faults: Faults): Promise<readonly unknown[]> {
    const turn = new Turn();
    const values: unknown[] = [];
    for (const [i, item] of items.entries()) {
      if (faults.areTooMany) break;
      if (turn.isOver) await turn.next();
      const ends: [string, string][] = [];
      values.push(
        coerceInputValue(item, this.#items, (path, _, { message }) => {
          const within = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('');
          ends.push([`[0]${within}"; ${message}`, `[${i}]${within}"; ${message}`]);
        }),
      );
      if (ends.length > 0) faults.add(this.#told(item, ends));
    }
    return values;
  }

  /** The faults of an item, in the executor's words: they name its position, which is the first where it is alone. */
  #told(item: unknown, ends: readonly (readonly [string, string])[]): GraphQLError[] {
    const { errors = [] } = getVariableValues(this.#schema, [this.#node], {
      [this.#node.variable.name.value]: [item],
    });
    return errors.map((error, n) => {
      const [alone = '', inList = ''] = ends[n] ?? [];
      return new GraphQLError(error.message.slice(0, -alone.length) + inList, {
        nodes: this.#node,
        originalError: error.originalError,
      });
    });
  }
}

/** For an operation with variables that are lists. */
export function listVariables(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | undefined,
): ListVariables | undefined {
  const operation = getOperationAST(document, operationName);
  const definitions = operation?.variableDefinitions ?? [];
  const lists = new Map<VariableDefinitionNode, ListVariable>();
  for (const node of definitions) {
    const items = itemType(schema, node);
    if (items !== undefined) lists.set(node, new ListVariable(schema, node, items));
  }
  if (lists.size === 0) return undefined;

  const coerced = async (variables: Values): Promise<Coercion> => {
    const faults = new Faults();
    const values: Record<string, unknown> = { ...variables };
    for (const node of definitions) {
      const name = node.variable.name.value;
      const list = lists.get(node);
      const given = variables[name];
      if (list !== undefined && Array.isArray(given)) values[name] = await list.coerced(given, faults);
      else {
        const { coerced: one, errors } = getVariableValues(schema, [node], variables);
        faults.add(errors ?? []);
        if (list !== undefined && one !== undefined) Object.assign(values, one);
      }
    }
    return faults.all.length > 0 ? { errors: faults.all } : { values };
  };

  return {
    executable: () => ({
      schema: withCoerced(schema),
      document: visit(document, {
        OperationDefinition: (node) => (node === operation ? undefined : false),
        VariableDefinition: (node) => (lists.has(node) ? asCoerced(node) : undefined),
      }),
    }),
    hasLong: (variables) =>
      [...lists.keys()].some(({ variable }) => {
        const value = variables[variable.name.value];
        return Array.isArray(value) && value.length > LONG;
      }),
    coerced,
  };
}

const asCoerced = ({ kind, variable }: VariableDefinitionNode): VariableDefinitionNode => ({
  kind,
  variable,
  type: { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: COERCED.name } },
});

/** The schema, where a document may name the type of what is coerced; nothing else finds it. */
const withCoerced = (schema: GraphQLSchema): GraphQLSchema => {
  const getType: GraphQLSchema['getType'] = (name) =>
    name === COERCED.name ? COERCED : schema.getType(name);
  // all else is the schema's
  return Object.create(schema, { getType: { value: getType } }) as GraphQLSchema;
};
