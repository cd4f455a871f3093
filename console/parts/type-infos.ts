// All types with their fields, for the views that let people choose among them.
import { operation } from '../api/operation.ts';
import type { TypeInfosQuery } from '../generated/api.ts';
import { FIELD_INFO } from './field-kind.ts';

export const TYPE_INFOS = operation<TypeInfosQuery>(
  /* GraphQL */ `
    query TypeInfos {
      schemas {
        name
        description
        allFields {
          ...FieldInfo
        }
      }
    }
  `,
  FIELD_INFO,
);

export type TypeInfo = TypeInfosQuery['schemas'][number];
