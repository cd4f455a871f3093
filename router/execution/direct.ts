// Decides whether a client's document can be sent to one subgraph unchanged, without planning and shaping
// (docs/architecture.md#the-way-of-a-request).
import type { PlanNode, QueryPlan } from '@apollo/query-planner';
import {
  type DocumentNode,
  getNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  type OperationDefinitionNode,
  specifiedRules,
  typeFromAST,
  validate,
} from 'graphql';
import type { Composition } from './compose.ts';
import type { RootField } from './root-fields.ts';
import { sameOutputs } from './same-outputs.ts';

/** The subgraph of a plan that consists of one fetch of root fields without rewrites; null otherwise. */
function onlyComponent(node: PlanNode | undefined): string | null {
  if (node?.kind === 'Condition')
    return node.ifClause && node.elseClause ? null : onlyComponent(node.ifClause ?? node.elseClause);
  if (node?.kind !== 'Fetch' || node.requires || node.inputRewrites?.length || node.outputRewrites?.length)
    return null;
  return node.serviceName;
}

/**
 * Whether an input type accepts the same fields and values in both schemas: otherwise variables could contain
 * names that clients may not use.
 */
function sameInputs(name: string, api: GraphQLSchema, own: GraphQLSchema, seen: Set<string>): boolean {
  if (seen.has(name)) return true;
  seen.add(name);
  const [left, right] = [api.getType(name), own.getType(name)];
  if (isEnumType(left) && isEnumType(right)) {
    return (
      left.getValues().length === right.getValues().length &&
      right.getValues().every((v) => left.getValue(v.name))
    );
  }
  if (!isInputObjectType(left) || !isInputObjectType(right)) return left !== undefined && right !== undefined;
  const [open, all] = [left.getFields(), Object.values(right.getFields())];
  return (
    all.length === Object.keys(open).length &&
    all.every((field) => {
      const same = open[field.name];
      return (
        same !== undefined &&
        String(same.type) === String(field.type) &&
        sameInputs(getNamedType(field.type).name, api, own, seen)
      );
    })
  );
}

/**
 * The name of the component that owns all of the document's root fields, and takes it as it stands: a plan would say
 * the same. Null where only a plan tells.
 */
export function soleComponent(
  fields: readonly RootField[],
  document: DocumentNode,
  operation: OperationDefinitionNode,
  composition: Composition,
): string | null {
  const owners = new Set(fields.map(({ coordinate }) => composition.soleOwners.get(coordinate)));
  const [name] = owners;
  if (owners.size !== 1 || name === undefined) return null;
  return takesAsItStands(name, document, operation, composition) ? name : null;
}

/** The name of the component for the document by its plan, or null if it needs the plan. */
export function directComponent(
  plan: QueryPlan,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  composition: Composition,
): string | null {
  const node = plan.node;
  if (node === undefined || node.kind === 'Subscription') return null;
  const name = onlyComponent(node);
  return name !== null && takesAsItStands(name, document, operation, composition) ? name : null;
}

/** Of a document that is for several components there are many, and suggestions for each. */
const FIRST_FAULT = { maxErrors: 1, hideSuggestions: true };

/** Whether a document has the same meaning in a component's own schema as in the API schema. */
export function takesAsItStands(
  name: string,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  composition: Composition,
): boolean {
  const own = composition.subgraphSchemas.get(name)?.();
  if (own === undefined || validate(own, document, specifiedRules, FIRST_FAULT).length > 0) return false;
  if (!sameOutputs(document, operation, composition.schema, own)) return false;
  const inputs = (operation.variableDefinitions ?? []).map((d) =>
    getNamedType(typeFromAST(own, d.type as never)),
  ); // any type node will do
  return inputs.every((type) => type && sameInputs(type.name, composition.schema, own, new Set()));
}
