// The permission of a row's document: that of its root field, from the table that the subgraphs export.
import { Kind, parse } from 'graphql';
import type { Permission } from '../platform/permissions.ts';

const ROOTS = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' } as const;

/** @throws Error for a document whose root field has no entry: default-deny, detected at start */
export function permissionOf(
  document: string,
  permissions: Readonly<Record<string, Permission>>,
): Permission {
  const operation = parse(document).definitions.find((d) => d.kind === Kind.OPERATION_DEFINITION);
  const field = operation?.selectionSet.selections.find((s) => s.kind === Kind.FIELD);
  const permission = operation && field && permissions[`${ROOTS[operation.operation]}.${field.name.value}`];
  if (permission === undefined) throw new Error(`a document's root field has no permission: ${document}`);
  return permission;
}
