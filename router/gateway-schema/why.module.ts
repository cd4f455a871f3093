// Causal chains as a noun of the gateway's subgraph.
import type { NodeKind } from '../../platform/causal-links.ts';
import { readSdl } from '../../platform/subgraph-module.ts';
import type { FoundNode } from '../why/walk-links.ts';
import type { Why } from '../why/why.service.ts';
import type { CausalNodeKind } from './generated/resolvers.ts';
import type { GatewayNoun } from './noun.ts';

interface WhySlice {
  readonly why: Why;
}

const KINDS: Readonly<Record<NodeKind, CausalNodeKind>> = {
  request: 'REQUEST',
  event: 'EVENT',
  entity: 'ENTITY',
  version: 'VERSION',
  field: 'FIELD',
  run: 'RUN',
  tick: 'TICK',
  poll: 'POLL',
  delivery: 'DELIVERY',
  internal_event: 'INTERNAL_EVENT',
  stale_result: 'STALE_RESULT',
  production: 'PRODUCTION',
  plan: 'PLAN',
  rule: 'RULE',
  document: 'DOCUMENT',
  file: 'FILE',
  retention: 'RETENTION',
};

// A node's key begins with its kind.
const kindOf = ({ key }: FoundNode): CausalNodeKind => KINDS[key.slice(0, key.indexOf(':')) as NodeKind];

export const why: GatewayNoun<WhySlice> = {
  typeDefs: readSdl('router/gateway-schema/why.graphql'),
  resolvers: {
    Query: {
      why: async (_, { after, asOf, ...asked }, { why, caller }) => {
        const chain = await why.chain(
          { ...asked, after: after ?? null, asOf: asOf ?? caller.asOf ?? null },
          caller,
        );
        return chain && { ...chain, nodes: chain.nodes.map((node) => ({ ...node, kind: kindOf(node) })) };
      },
    },
  },
  permissions: { 'Query.why': 'provenance:read' },
  services: ({ why }) => ({ why }),
};
