// For every REST row, an equivalent GraphQL operation as a client would write it, independent of the
// documents that the rows use. Values are compared directly, so these documents use aliases for REST's names.
import { bare } from './artifact-partners.ts';
import { gateway } from './gateway-partners.ts';
import { metadataDifferences } from './metadata-difference-partners.ts';
import { metadataEntities } from './metadata-entity-partners.ts';
import { metadataLists } from './metadata-other-partners.ts';
import type { Names, Partner } from './partner-case.ts';
import { workflow } from './workflow-partners.ts';

const metadata: Readonly<Record<string, Partner>> = {
  ...metadataEntities,
  ...metadataDifferences,
  ...metadataLists,
};

/** By component, then by the row's method and template. */
export const partnersOf = (
  rule: (n: number) => unknown,
): Readonly<Record<string, Readonly<Record<string, Partner>>>> => ({
  metadata,
  workflow,
  gateway,
  artifact: Object.fromEntries(
    Object.entries(bare).flatMap(([row, cases]) => {
      const [method = '', path = ''] = row.split(' ');
      const plain: Partner = (names) => cases(names, rule);
      return [
        [row, plain],
        [
          `${method} /api/v1${path}`,
          (names: Names) =>
            plain({ ...names, n: names.n + 50 }).map((one) => ({ ...one, path: `/api/v1${one.path}` })),
        ],
      ];
    }),
  ),
});
