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

/** The platform's own after all others, each in the order that they had. */
export const ownLast = <Type extends { readonly name: string }>(types: readonly Type[]): readonly Type[] =>
  [false, true].flatMap((own) => types.filter(({ name }) => OF_THE_PLATFORM.has(name) === own));

/** What is shown where no type was chosen; undefined where there is none. */
export const firstOf = (types: readonly TypeInfo[]): TypeInfo | undefined => ownLast(types)[0];
