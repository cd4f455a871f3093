// Binds a subscription to the one component that answers it as it stands.
import { type DocumentNode, GraphQLError, type OperationDefinitionNode } from 'graphql';
import type { Component, Subscribe } from '../../platform/component.ts';
import type { Composition } from './compose.ts';
import { takesAsItStands } from './direct.ts';
import { InvalidDocument } from './invalid-document.ts';
import type { RootField } from './root-fields.ts';

export interface SubscriptionRequest {
  readonly composition: Composition;
  readonly components: ReadonlyMap<string, Component>;
  readonly source: string;
  readonly operationName: string | undefined;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly fields: readonly RootField[];
}

export const severalComponents = (): InvalidDocument =>
  new InvalidDocument([
    new GraphQLError(
      'a subscription can only select fields of one component: request the other fields with a query',
    ),
  ]);

/** @throws InvalidDocument where it selects what more than one component would have to answer */
export function bindSubscription({
  composition,
  components,
  source,
  operationName,
  document,
  operation,
  fields,
}: SubscriptionRequest): Subscribe {
  const [field] = fields;
  const name = [...composition.subgraphSchemas].find(
    ([, schema]) => schema().getSubscriptionType()?.getFields()[field?.node.name.value ?? ''] !== undefined,
  )?.[0];
  const component = name === undefined ? undefined : components.get(name);
  if (
    name === undefined ||
    component?.subscribe === undefined ||
    !takesAsItStands(name, document, operation, composition)
  ) {
    throw severalComponents();
  }
  return (variables, caller) =>
    component.subscribe?.(source, variables, caller, operationName) ??
    Promise.reject(new Error(`${name} has no subscriptions`));
}
