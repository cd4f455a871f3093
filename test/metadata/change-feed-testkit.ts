// What the tests of the change feed share.
import type { ComponentResult } from '../../platform/component.ts';

export const FEED = `subscription($types: [String!], $entityTypes: [String!], $filter: String, $after: String) {
  provenanceEvents(types: $types, entityTypes: $entityTypes, filter: $filter, after: $after) { token event { id eventType entityId entityType actor timestamp schemaVersion context payload } } }`;

export const INGEST =
  'mutation($t: String!, $id: ID!, $d: JSON!, $c: ProvenanceContext) { ingestEntity(entityType: $t, id: $id, data: $d, context: $c) { id } }';

export interface Item {
  token: string;
  event: {
    id: string;
    eventType: string;
    entityId: string | null;
    entityType: string | null;
    actor: string;
    timestamp: string;
    context: unknown;
    payload: Record<string, unknown>;
  };
}

export const itemOf = ({ data, errors }: ComponentResult): Item => {
  if (errors?.[0]) throw new Error(`${String(errors[0].extensions?.['code'])}: ${errors[0].message}`);
  return data?.['provenanceEvents'] as Item;
};
