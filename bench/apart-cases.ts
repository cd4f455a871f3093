// The cases that are also measured with metadata and workflow as processes of their own, against the same baselines
// (docs/reference/gateway.md#split-mode).
import type { Case } from './cases.ts';

/** By case: the targets, in the order of its comparisons. */
const TARGETS: Readonly<Record<string, readonly (number | null)[]>> = {
  'rest-point': [1],
  'rest-list': [1.5],
  'graphql-point': [10, null],
  'graphql-two-subgraphs': [10, null],
  'ingest-64': [2.5],
};

/** The same requests to a router that reaches its components over the network. */
export const apart = (cases: readonly Case[]): readonly Case[] =>
  cases.flatMap((one): Case[] => {
    const targets = TARGETS[one.name];
    if (targets === undefined) return [];
    const [first, ...rest] = one.comparisons;
    return [
      {
        ...one,
        name: `apart-${one.name}`,
        what: `${one.what}; router, metadata and workflow as three processes`,
        subject: 'cairn-apart',
        comparisons: [
          { ...first, target: targets[0] ?? null },
          ...rest.map((comparison, i) => ({ ...comparison, target: targets[i + 1] ?? null })),
        ],
      },
    ];
  });
