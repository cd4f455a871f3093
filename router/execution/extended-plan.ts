// Plans an operation of a component's extension: its root fields go to that component, all others as ever,
// and what other components add to the objects below follows.
import type { FetchNode, PlanNode, QueryPlan } from '@apollo/query-planner';
import {
  getNamedType,
  getNullableType,
  type GraphQLNamedType,
  type GraphQLSchema,
  isAbstractType,
  isListType,
  isObjectType,
  isRequiredArgument,
  Kind,
  type NameNode,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
  print,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import type { Composition } from './compose.ts';
import {
  type Fragments,
  fragmentsOf,
  inlined,
  operationOver,
  rootSelections,
  setOf,
  variablesIn,
} from './inline-fragments.ts';
import { isIntrospection } from './introspection.ts';
import { type Pieces, planned } from './pieces.ts';
import { isPlainFetch, moved, type PlanPath, plannedAlone, several } from './plan-steps.ts';

export interface Extension {
  /** The component that owns the extension. */
  readonly component: string;
  readonly rootFields: readonly string[];
  /** The graph with the extension. */
  readonly schema: GraphQLSchema;
}

function* planOf(
  composition: Composition,
  operation: OperationDefinitionNode,
  set: SelectionSetNode,
): Pieces<PlanNode | undefined> {
  const { node } = yield* planned(composition, operationOver(operation, set), undefined);
  return node?.kind === 'Subscription' ? undefined : node;
}
const nameOf = (value: string): NameNode => ({ kind: Kind.NAME, value });
const TYPENAME: SelectionNode = { kind: Kind.FIELD, name: nameOf('__typename') };
/** Rewrites selections of the extension, collecting the steps that follow. */
class Below {
  readonly after: PlanNode[] = [];
  /** Whether the component's selection differs from the client's. */
  isChanged = false;
  readonly #composition: Composition;
  readonly #extension: Extension;
  readonly #operation: OperationDefinitionNode;

  constructor(composition: Composition, extension: Extension, operation: OperationDefinitionNode) {
    this.#composition = composition;
    this.#extension = extension;
    this.#operation = operation;
  }

  *rewrite(
    set: SelectionSetNode,
    type: GraphQLNamedType | undefined,
    path: PlanPath,
  ): Pieces<SelectionSetNode> {
    const selections: SelectionNode[] = [];
    for (const node of set.selections) selections.push(yield* this.#rewritten(node, type, path));
    return setOf(selections);
  }

  *#rewritten(
    node: SelectionNode,
    type: GraphQLNamedType | undefined,
    path: PlanPath,
  ): Pieces<SelectionNode> {
    if (node.kind === Kind.FRAGMENT_SPREAD || node.selectionSet === undefined) return node;
    if (node.kind === Kind.INLINE_FRAGMENT) {
      const name = node.typeCondition?.name.value;
      const inner = name === undefined ? type : this.#extension.schema.getType(name);
      // below an interface that the extension implements
      if (inner && isAbstractType(type) && isObjectType(this.#composition.schema.getType(inner.name)))
        return { ...node, selectionSet: yield* this.#composed(node.selectionSet, inner, path) };
      return { ...node, selectionSet: yield* this.rewrite(node.selectionSet, inner, path) };
    }
    const field = isObjectType(type) ? type.getFields()[node.name.value] : undefined;
    if (!field) return node;
    const inner = getNamedType(field.type);
    const place = [...path, node.alias?.value ?? node.name.value];
    for (
      let wrapped = getNullableType(field.type);
      isListType(wrapped);
      wrapped = getNullableType(wrapped.ofType)
    )
      place.push('@');
    // an interface may stand for types of the extension, and its answer says for which
    if (isAbstractType(inner)) {
      const below = yield* this.rewrite(node.selectionSet, inner, place);
      return { ...node, selectionSet: setOf([TYPENAME, ...below.selections]) };
    }
    // a type of the extension goes on; one of the composition is where it ends
    return {
      ...node,
      selectionSet: this.#composition.schema.getType(inner.name)
        ? yield* this.#composed(node.selectionSet, inner, place)
        : yield* this.rewrite(node.selectionSet, inner, place),
    };
  }

  /**
   * Selections on a type of the composition, planned as below a root field of the component that returns it;
   * this code replaces the plan's first step.
   */
  *#composed(set: SelectionSetNode, type: GraphQLNamedType, place: PlanPath): Pieces<SelectionSetNode> {
    const own = this.#composition.subgraphSchemas.get(this.#extension.component)?.();
    const root = Object.values(own?.getQueryType()?.getFields() ?? {}).find(
      (field) => String(getNullableType(field.type)) === type.name,
    );
    if (!own || !root) return set;
    const plan = yield* planOf(
      this.#composition,
      { ...this.#operation, operation: OperationTypeNode.QUERY },
      setOf([
        {
          kind: Kind.FIELD,
          name: nameOf(root.name),
          selectionSet: setOf([TYPENAME, ...set.selections]),
          arguments: root.args.filter(isRequiredArgument).map(({ name }) => ({
            kind: Kind.ARGUMENT,
            name: nameOf(name),
            value: { kind: Kind.STRING, value: '' },
          })), // a placeholder: this fetch is never made
        },
      ]),
    );
    const [first, ...rest] = plan?.kind === 'Sequence' ? plan.nodes : [plan];
    if (!isPlainFetch(first, this.#extension.component)) throw plannedAlone();
    if (rest.length > 0)
      this.after.push({
        kind: 'Sequence',
        nodes: rest.flatMap((node) => (node ? [moved(node, place)] : [])),
      });
    else if (isOwn(set, type.name, own)) return set;
    this.isChanged = true;
    const document = parse(first.operation);
    const [operation] = document.definitions;
    const [field] =
      operation?.kind === Kind.OPERATION_DEFINITION
        ? inlined(operation.selectionSet, fragmentsOf(document)).selections
        : [];
    if (field?.kind !== Kind.FIELD || !field.selectionSet) throw plannedAlone();
    return field.selectionSet;
  }
}

/**
 * Whether a component has every selected field, including those that no value of a variable includes, which
 * are in no plan.
 */
function isOwn(set: SelectionSetNode, typeName: string, own: GraphQLSchema): boolean {
  const type = own.getType(typeName);
  return set.selections.every((node) => {
    if (node.kind === Kind.FRAGMENT_SPREAD || node.selectionSet === undefined)
      return (
        node.kind === Kind.FIELD &&
        (node.name.value === '__typename' ||
          (isObjectType(type) && Object.hasOwn(type.getFields(), node.name.value)))
      );
    if (node.kind === Kind.INLINE_FRAGMENT)
      return isOwn(node.selectionSet, node.typeCondition?.name.value ?? typeName, own);
    const field = isObjectType(type) ? type.getFields()[node.name.value] : undefined;
    return field !== undefined && isOwn(node.selectionSet, getNamedType(field.type).name, own);
  });
}

/**
 * Null if the operation can be sent to the component unchanged.
 * @param operation valid against the extension's schema, its fragments inlined
 * @throws InvalidDocument for selections that cannot be combined in one operation
 */
export function* planExtended(
  composition: Composition,
  extension: Extension,
  operation: OperationDefinitionNode,
): Pieces<QueryPlan | null> {
  if (operation.operation === OperationTypeNode.MUTATION)
    return yield* planWrites(composition, extension, operation);
  const own = rootSelections(operation.selectionSet, NONE, (name) => extension.rootFields.includes(name));
  const others = rootSelections(
    operation.selectionSet,
    NONE,
    (name) => !name.startsWith('__') && !extension.rootFields.includes(name),
  );
  const asksSchema = rootSelections(operation.selectionSet, NONE, isIntrospection).length > 0;
  const below = new Below(composition, extension, operation);
  const fetch = yield* ownFetch(below, extension, operation, own);
  if (others.length === 0 && !below.isChanged && !asksSchema) return null;
  const rest = others.length > 0 ? yield* planOf(composition, operation, setOf(others)) : undefined;
  const node = several('Parallel', [several('Sequence', [fetch, several('Parallel', below.after)]), rest]);
  return node === undefined ? null : { kind: 'QueryPlan', node };
}

const NONE: Fragments = new Map();

/** The step that asks the component for root fields of the extension. */
function* ownFetch(
  below: Below,
  { component, schema }: Extension,
  operation: OperationDefinitionNode,
  selections: readonly SelectionNode[],
): Pieces<FetchNode> {
  const root = schema.getRootType(operation.operation) ?? undefined;
  const set = yield* below.rewrite(setOf(selections), root, []);
  return {
    kind: 'Fetch',
    serviceName: component,
    operation: print(operationOver(operation, set)),
    operationName: undefined,
    operationKind: operation.operation,
    variableUsages: [...variablesIn(set)],
  };
}

/** Root fields of a mutation, one after the other; those that one component answers together stay together. */
function* planWrites(
  composition: Composition,
  extension: Extension,
  operation: OperationDefinitionNode,
): Pieces<QueryPlan | null> {
  const isOwn = (name: string): boolean => extension.rootFields.includes(name);
  const runs: { isOwn: boolean; selections: SelectionNode[] }[] = [];
  for (const node of rootSelections(operation.selectionSet, NONE, (name) => !name.startsWith('__')).flatMap(
    singly,
  )) {
    const own = rootSelections(setOf([node]), NONE, isOwn).length > 0;
    const last = runs.at(-1);
    if (last?.isOwn === own) last.selections.push(node);
    else runs.push({ isOwn: own, selections: [node] });
  }
  const steps: (PlanNode | undefined)[] = [];
  let isChanged = runs.length !== 1;
  for (const run of runs) {
    if (!run.isOwn) {
      steps.push(yield* planOf(composition, operation, setOf(run.selections)));
      continue;
    }
    const below = new Below(composition, extension, operation);
    steps.push(
      yield* ownFetch(below, extension, operation, run.selections),
      several('Parallel', below.after),
    );
    isChanged ||= below.isChanged;
  }
  const node = several('Sequence', steps);
  return isChanged && node ? { kind: 'QueryPlan', node } : null;
}

/** A fragment of several fields as fragments of one each, with the same conditions. */
function singly(node: SelectionNode): SelectionNode[] {
  if (node.kind !== Kind.INLINE_FRAGMENT) return [node];
  return node.selectionSet.selections.flatMap(singly).map((one) => ({ ...node, selectionSet: setOf([one]) }));
}
