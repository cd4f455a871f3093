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

/** Types that the platform keeps for itself: nobody looks for their entities first. */
const OF_THE_PLATFORM: ReadonlySet<string> = new Set(['PollCursor']);

/** What is shown where no type was chosen; undefined where there is none. */
export const firstOf = (types: readonly TypeInfo[]): TypeInfo | undefined =>
  types.find(({ name }) => !OF_THE_PLATFORM.has(name)) ?? types[0];
