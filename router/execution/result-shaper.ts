// Shapes gathered data as the client's document requests: order, aliases, fragments, conditions, and nulls
// for failed fields.
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLEnumType,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isAbstractType,
  isEnumType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { conditionVariables, isIncluded } from './conditions.ts';
import { type Data, isData } from './merge.ts';

type Place = readonly (string | number)[];

/**
 * The current state of shaping, the first place where a non-null field was null, and the places of values
 * that the API schema does not have.
 */
interface Trace {
  readonly path: (string | number)[];
  broken?: Place;
  hidden?: Place[];
}

/** Maximum reported places of one result. */
const MAX_PLACES = 1000;

/** A value or type of a component that clients may not see; it becomes null. */
function hide(trace: Trace): null {
  const places = (trace.hidden ??= []);
  if (places.length < MAX_PLACES) places.push([...trace.path]);
  return null;
}

export interface ShapedResult {
  readonly data: Data | null;
  /** Set if a non-null field had no value, and not because its value is hidden. */
  readonly broken?: Place;
  /** Set if values or types were not in the API schema (`@inaccessible`). */
  readonly hidden?: readonly Place[];
}

/** Converts gathered data and coerced variables to the client's `data`. */
export type ResultShaper = (data: Data, variables: Readonly<Record<string, unknown>>) => ShapedResult;

/** An interface stands for its objects if the plan did not need their concrete types (`@interfaceObject`). */
type ObjectType = GraphQLObjectType | GraphQLInterfaceType;
type Complete = (value: unknown, trace: Trace) => unknown;
interface Field {
  readonly key: string;
  readonly constant: string | null;
  readonly complete: Complete;
  readonly nonNull: boolean;
}

/** Shapes depend on the variables in conditions; at most this many are cached. */
const KEPT_SHAPES = 64;

/** Whether one place is below another. */
const isWithin = (place: Place, outer: Place): boolean => outer.every((part, i) => place[i] === part);

/** @param narrowedEnums enums with component values that the API schema does not have */
export function compileResultShaper(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  narrowedEnums: ReadonlySet<string>,
): ResultShaper {
  const root = schema.getRootType(operation.operation);
  if (!root) throw new Error(`the schema has no ${operation.operation}`);
  const names = conditionVariables(document);
  const kept = new Map<string, Complete>();
  const shapeFor = (variables: Readonly<Record<string, unknown>>): Complete => {
    const key =
      names.length === 0 ? '' : names.map((name) => (variables[name] === true ? '1' : '0')).join('');
    const known = kept.get(key);
    if (known) return known;
    const compiler = new ShapeCompiler(schema, document, variables, narrowedEnums);
    const made = compiler.object([operation.selectionSet], root);
    if (kept.size < KEPT_SHAPES) kept.set(key, made);
    return made;
  };
  return (data, variables) => {
    const trace: Trace = { path: [] };
    const shaped = shapeFor(variables)(data, trace);
    const { broken, hidden } = trace;
    const isTold = broken && hidden?.some((place) => isWithin(place, broken));
    return {
      data: isData(shaped) ? shaped : null,
      ...(broken === undefined || isTold ? {} : { broken }),
      ...(hidden === undefined ? {} : { hidden }),
    };
  };
}

class ShapeCompiler {
  readonly #schema: GraphQLSchema;
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly #variables: Readonly<Record<string, unknown>>;
  readonly #narrowedEnums: ReadonlySet<string>;

  constructor(
    schema: GraphQLSchema,
    document: DocumentNode,
    variables: Readonly<Record<string, unknown>>,
    narrowedEnums: ReadonlySet<string>,
  ) {
    this.#narrowedEnums = narrowedEnums;
    this.#schema = schema;
    this.#variables = variables;
    this.#fragments = new Map(
      document.definitions.flatMap((d) => (d.kind === Kind.FRAGMENT_DEFINITION ? [[d.name.value, d]] : [])),
    );
  }

  /** Fields in the order of first appearance, each with all its selection sets. */
  #collect(
    set: SelectionSetNode,
    type: ObjectType,
    found: Map<string, { name: string; sets: SelectionSetNode[] }>,
  ): void {
    for (const node of set.selections) {
      if (!isIncluded(node, this.#variables)) continue;
      if (node.kind === Kind.FIELD) {
        const key = node.alias?.value ?? node.name.value;
        const field = found.get(key) ?? { name: node.name.value, sets: [] };
        if (node.selectionSet) field.sets.push(node.selectionSet);
        found.set(key, field);
        continue;
      }
      const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : this.#fragments.get(node.name.value);
      if (fragment && this.#applies(fragment.typeCondition?.name.value, type))
        this.#collect(fragment.selectionSet, type, found);
    }
  }

  #applies(condition: string | undefined, type: ObjectType): boolean {
    if (condition === undefined || condition === type.name) return true;
    const wanted = this.#schema.getType(condition);
    return isAbstractType(wanted) && this.#schema.isSubType(wanted, type);
  }

  object(sets: readonly SelectionSetNode[], type: ObjectType): Complete {
    const found = new Map<string, { name: string; sets: SelectionSetNode[] }>();
    for (const set of sets) this.#collect(set, type, found);
    const fields = [...found].map(([key, { name, sets: nested }]) => this.#field(key, name, nested, type));
    return (value, trace) => {
      if (!isData(value)) return null;
      const shaped: Data = {};
      for (const field of fields) {
        if (field.constant !== null) {
          shaped[field.key] = field.constant;
          continue;
        }
        trace.path.push(field.key);
        const completed = field.complete(value[field.key], trace) ?? null;
        if (completed === null && field.nonNull) {
          trace.broken ??= [...trace.path];
          trace.path.pop();
          return null;
        }
        trace.path.pop();
        shaped[field.key] = completed;
      }
      return shaped;
    };
  }

  #field(key: string, name: string, sets: readonly SelectionSetNode[], parent: ObjectType): Field {
    if (name === '__typename') return { key, constant: parent.name, complete: passOn, nonNull: true };
    if (name === '__schema' || name === '__type')
      return { key, constant: null, complete: passOn, nonNull: false };
    const type = parent.getFields()[name]?.type;
    // The document has been validated.
    if (!type) throw new Error(`${parent.name}.${name} is not in the schema`);
    return { key, constant: null, complete: this.#complete(type, sets), nonNull: isNonNullType(type) };
  }

  #complete(given: GraphQLOutputType, sets: readonly SelectionSetNode[]): Complete {
    const type = isNonNullType(given) ? given.ofType : given;
    if (isListType(type)) return this.#list(type.ofType, sets);
    if (isObjectType(type)) return this.object(sets, type);
    if (isEnumType(type) && this.#narrowedEnums.has(type.name)) return openValueOf(type);
    // its own subgraph has completed it, at least as strictly as the API schema would
    if (isLeafType(type)) return passOn;
    return this.#abstract(sets, type.name);
  }

  #list(itemType: GraphQLOutputType, sets: readonly SelectionSetNode[]): Complete {
    const item = this.#complete(itemType, sets);
    if (item === passOn) return passOn;
    const nonNull = isNonNullType(itemType);
    return (value, trace) => {
      if (!Array.isArray(value)) return null;
      const items = new Array<unknown>(value.length);
      for (let i = 0; i < value.length; i++) {
        trace.path.push(i);
        const completed = item(value[i], trace) ?? null;
        if (completed === null && nonNull) trace.broken ??= [...trace.path];
        trace.path.pop();
        if (completed === null && nonNull) return null;
        items[i] = completed;
      }
      return items;
    };
  }

  /** By `__typename`, which the planner selects where it is needed. */
  #abstract(sets: readonly SelectionSetNode[], declared: string): Complete {
    const byName = new Map<unknown, Complete>();
    return (value, trace) => {
      if (!isData(value)) return null;
      const name = value['__typename'] ?? declared;
      let complete = byName.get(name);
      if (!complete) {
        const type = typeof name === 'string' ? this.#schema.getType(name) : undefined;
        if (!isObjectType(type) && !isInterfaceType(type)) return hide(trace);
        byName.set(name, (complete = this.object(sets, type)));
      }
      return complete(value, trace);
    };
  }
}

const passOn: Complete = (value) => value ?? null;

const openValueOf =
  (type: GraphQLEnumType): Complete =>
  (value, trace) => {
    if (value === null || value === undefined) return null;
    return typeof value === 'string' && type.getValue(value) ? value : hide(trace);
  };
