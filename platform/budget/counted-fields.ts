// Counts the objects that an operation shows, where the executor comes upon them, and has large operations
// take turns.
import {
  defaultFieldResolver,
  type FieldNode,
  getNamedType,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isCompositeType,
  isIntrospectionType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import type { Caller } from '../identity.ts';
import { type Budget, never } from './budget.ts';

interface Asking {
  readonly caller: Caller;
}
type Resolver = GraphQLFieldResolver<unknown, Asking>;

type Fragments = GraphQLResolveInfo['fragments'];

const known = new WeakMap<FieldNode, number>();

/**
 * Fields of a selection that hold no objects, fragments followed: the document is valid, so none is in
 * itself.
 */
function leavesOf(set: SelectionSetNode, fragments: Fragments): number {
  let leaves = 0;
  for (const node of set.selections) {
    if (node.kind === Kind.FIELD) {
      leaves += node.selectionSet ? 0 : 1;
      continue;
    }
    const inside = node.kind === Kind.INLINE_FRAGMENT ? node : fragments[node.name.value];
    leaves += inside ? leavesOf(inside.selectionSet, fragments) : 0;
  }
  return leaves;
}

function leavesAt(nodes: readonly FieldNode[], fragments: Fragments): number {
  let leaves = 0;
  for (const node of nodes) {
    let found = known.get(node);
    if (found === undefined)
      known.set(node, (found = node.selectionSet ? leavesOf(node.selectionSet, fragments) : 0));
    leaves += found;
  }
  return leaves;
}

const isPromise = (value: unknown): value is Promise<unknown> => value instanceof Promise;

const ignore = (): void => undefined;

/**
 * Items that are still being read may fail before their turn, or when nobody waits for them any more: without
 * a handler that would end the process.
 */
function handleRejections(items: readonly unknown[]): void {
  for (const item of items) if (isPromise(item)) item.catch(ignore);
}

/**
 * Preparing a longer list for its turns is worth a turn of its own: the items of another list, which were begun together
 * before the operation was large, may have such a list each.
 */
const LONG_LIST = 50;

function shown(value: unknown, budget: Budget, { fieldNodes, fragments }: GraphQLResolveInfo): unknown {
  if (value === null || value === undefined) return value;
  const isAllowed = budget.show(Array.isArray(value) ? value.length : 1, leavesAt(fieldNodes, fragments));
  if (isAllowed && !budget.isLarge) return value;
  if (Array.isArray(value)) handleRejections(value);
  if (!isAllowed) return never();
  if (!Array.isArray(value)) return budget.turn().then(() => value);
  const inTurns = (): Promise<unknown>[] => value.map((item: unknown) => budget.turn().then(() => item));
  return value.length > LONG_LIST ? budget.turn().then(inTurns) : inTurns();
}

const counted =
  (inner: Resolver): Resolver =>
  (source, args, context, info) => {
    const { budget } = context.caller;
    if (budget === undefined) return inner(source, args, context, info);
    if (budget.ended !== undefined) return never();
    const value = inner(source, args, context, info);
    if (!isPromise(value)) return shown(value, budget, info);
    return value.then(
      (found) => shown(found, budget, info),
      (thrown: unknown) => {
        // the operation has its answer: nobody looks at what else went wrong
        if (!budget.fail(thrown)) return never();
        throw thrown;
      },
    );
  };

/** Has a field count the objects that it answers, if it does. To be done once with a field. */
export function countField(field: GraphQLField<unknown, unknown>): void {
  if (isCompositeType(getNamedType(field.type)))
    // its context is an operation's
    field.resolve = counted((field.resolve ?? defaultFieldResolver) as Resolver) as GraphQLFieldResolver<
      unknown,
      unknown
    >;
}

/**
 * Has every field that answers objects count them. To be done once with a schema, or with the fields that
 * `before` had not.
 */
export function countObjects(schema: GraphQLSchema, before?: GraphQLSchema): void {
  const subscription = schema.getSubscriptionType();
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || isIntrospectionType(type) || type === subscription) continue;
    const was = before?.getType(type.name);
    for (const field of Object.values(type.getFields())) {
      if (isObjectType(was) && Object.hasOwn(was.getFields(), field.name)) continue;
      if (field.name !== '_service') countField(field);
    }
  }
}
