// The gateway's endpoint of the configuration in force (docs/reference/gateway.md#configuration-in-force).
import { route, type RestRoute } from '../route.ts';

export const configurationRows: readonly RestRoute[] = [
  route({
    method: 'GET',
    path: '/configuration',
    summary: 'Returns the configuration in force, without secrets.',
    operation:
      'query showConfiguration { configuration { file settings { key value hidden: isHidden source place } } }',
    pick: 'configuration',
    variables: () => ({}),
  }),
];
