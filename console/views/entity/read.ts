// What a view of one entity asks for.
import type { Data } from '../../api/json.ts';
import { operation } from '../../api/operation.ts';
import type {
  EntityHistoryQuery,
  EntityHistoryQueryVariables,
  EntityQuery,
  EntityQueryVariables,
  TypeOfEntityQuery,
  TypeOfEntityQueryVariables,
} from '../../generated/api.ts';
import { FIELD_INFO } from '../../parts/field-kind.ts';

export const ENTITY = operation<EntityQuery, EntityQueryVariables>(/* GraphQL */ `
  query Entity($id: ID!, $at: DateTime) {
    entity(id: $id, asOf: $at) {
      id
      entityType
      version
      createdAt
      updatedAt
      isAvailable
      project
      data
      externalIds {
        id
        externalId
        idType
        createdAt
      }
    }
  }
`);

export const TYPE_OF_ENTITY = operation<TypeOfEntityQuery, TypeOfEntityQueryVariables>(
  /* GraphQL */ `
    query TypeOfEntity($name: String!) {
      schema(name: $name) {
        name
        allFields {
          ...FieldInfo
          unique
        }
      }
    }
  `,
  FIELD_INFO,
);

export const HISTORY = operation<EntityHistoryQuery, EntityHistoryQueryVariables>(/* GraphQL */ `
  query EntityHistory($id: ID!, $at: DateTime, $cursor: String) {
    entityHistoryPage(entityId: $id, asOf: $at, cursor: $cursor, limit: 100) {
      nextCursor
      items {
        id
        eventType
        actor
        timestamp
        requestId
        cause
        payload
        context
      }
    }
  }
`);

export type Entity = NonNullable<EntityQuery['entity']>;
export type EntityType = NonNullable<TypeOfEntityQuery['schema']>;
export type Field = EntityType['allFields'][number];

/** An entity's data are an object. */
export const dataOf = ({ data }: Pick<Entity, 'data'>): Data => data as Data;
