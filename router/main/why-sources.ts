// What causal chains are made of: each component's links, as the caller sees them.
import type { FollowedLinks } from '../../platform/causal-links.ts';
import type { PreparedOperation } from '../../platform/component.ts';
import type { Config } from '../../platform/config/load-config.ts';
import type { LinkSource } from '../why/remember-links.ts';
import { askAsCaller } from './ask-as-workflow.ts';

const documentOf = (name: string): string =>
  `query CausalLinks($keys: [ID!]!, $direction: CausalDirection!, $limit: Int!, $levels: Int!, $asOf: DateTime) {
  ${name}Links(keys: $keys, direction: $direction, limit: $limit, levels: $levels, asOf: $asOf)
}`;
/** Asked of components that have said that there are more: those of an older version do not know of it. */
const furtherOf = (name: string): string =>
  `query FurtherCausalLinks($keys: [ID!]!, $direction: CausalDirection!, $limit: Int!, $skip: Int!, $asOf: DateTime) {
  ${name}Links(keys: $keys, direction: $direction, limit: $limit, skip: $skip, asOf: $asOf)
}`;

const SOURCES = [
  ['metadata', 'provenance:read'],
  ['workflow', 'workflow:read'],
  ['artifact', 'artifact:read'],
] as const;

/** Foreign components know no links. */
export const whySources = (
  { components }: Pick<Config, 'components'>,
  ask: (document: string) => PreparedOperation,
): readonly LinkSource[] =>
  SOURCES.filter(([name]) => components[name].kind !== 'rest').map(([name, permission]) => {
    const [document, further] = [documentOf(name), furtherOf(name)];
    return {
      component: name,
      permission,
      links: async ({ skip, levels, ...question }, caller) => {
        const answer = await (skip === 0
          ? askAsCaller(ask, caller)(document, { ...question, levels })
          : askAsCaller(ask, caller)(further, { ...question, skip }));
        return answer[`${name}Links`] as FollowedLinks; // the SDL of the field says so
      },
    };
  });
