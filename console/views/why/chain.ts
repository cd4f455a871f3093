// Causal chains: what is asked, where each node is shown, and the chain as the picture of a lineage draws it.
import type { Changes } from '../../address/address.tsx';
import { isData } from '../../api/json.ts';
import { operation } from '../../api/operation.ts';
import type { WhyQuery, WhyQueryVariables } from '../../generated/api.ts';
import type { Graph } from '../lineage/graph.ts';

export const WHY = operation<WhyQuery, WhyQueryVariables>(/* GraphQL */ `
  query Why($subject: ID!, $direction: CausalDirection!, $depth: Int!, $first: Int!, $at: DateTime) {
    why(subject: $subject, direction: $direction, depth: $depth, first: $first, asOf: $at) {
      nextCursor
      nodes {
        key
        kind
        name
        at
        actor
        depth
        details
      }
      links {
        cause
        effect
        kind
      }
    }
  }
`);
export type Chain = NonNullable<WhyQuery['why']>;
export type ChainNode = Chain['nodes'][number];
export type Direction = WhyQueryVariables['direction'];
type LinkKind = Chain['links'][number]['kind'];

/** What a cause did to what follows from it. */
export const DID: Readonly<Record<LinkKind, string>> = {
  WROTE: 'wrote',
  MADE: 'made',
  FOLLOWS: 'came before',
  VERSION: 'is a version of',
  SET: 'set',
  SENT: 'sent',
  FOUND: 'was found by',
  OUTDATED: 'made stale',
  EMITTED: 'emitted',
  FIRED: 'fired',
  ASKED: 'asked for',
  PLANNED: 'is the plan of',
  REGISTERED: 'registered',
  DOCUMENT: 'is a document of',
  RULE: 'is the rule of',
  INPUT: 'is an input of',
  STORED: 'stored',
  RESOLVED: 'told of',
  EXPIRED: 'was before, or after, what is still kept of',
};

export interface Place {
  readonly to: string;
  readonly params: Changes;
}

export const whyOf = (subject: string, direction?: Direction): Place => ({
  to: 'why',
  params: { subject, direction },
});

export const afterKind = (key: string): string => key.slice(key.indexOf(':') + 1);

/** The view of a node; undefined for what has none of its own, and for requests to whoever may not read them. */
export function placeOf({ key, kind, name, details }: ChainNode, readsAudit: boolean): Place | undefined {
  const known = isData(details) ? details : {};
  const entity = known['entity_id'];
  switch (kind) {
    case 'REQUEST':
      return readsAudit ? { to: 'admin', params: { tab: 'audit', request: afterKind(key) } } : undefined;
    case 'EVENT':
    case 'VERSION':
      return typeof entity === 'string'
        ? { to: 'entity', params: { id: entity, tab: 'history' } }
        : undefined;
    case 'ENTITY':
    case 'FIELD':
      return typeof entity === 'string' ? { to: 'entity', params: { id: entity } } : undefined;
    case 'RUN':
      return { to: 'run', params: { id: afterKind(key) } };
    case 'TICK':
    case 'POLL':
    case 'DELIVERY':
      return { to: 'trigger', params: { name } };
    case 'PRODUCTION':
      return { to: 'production', params: { id: afterKind(key) } };
    case 'RULE':
      return { to: 'rule', params: { name: afterKind(key).replace(/@\d+$/, '') } };
    default:
      return undefined;
  }
}

/** Causes on the left, what they brought about on the right. */
export const graphOf = ({ nodes, links }: Chain, direction: Direction, readsAudit: boolean): Graph => ({
  nodes: new Map(
    nodes.map((node) => [
      node.key,
      {
        id: node.key,
        type: node.kind.toLowerCase(),
        name: node.name,
        place: placeOf(node, readsAudit) ?? whyOf(node.key),
        column: direction === 'BACKWARD' ? -node.depth : node.depth,
        isOpen: true,
      },
    ]),
  ),
  edges: links.map(({ cause, effect, kind }) => ({ from: cause, to: effect, by: DID[kind] })),
  rests: [],
});
