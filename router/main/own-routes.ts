// The gateway's own endpoints: keys, health, metrics, the description and its page.
import type { Logger } from 'pino';
import type { Config } from '../../platform/config/load-config.ts';
import type { Database } from '../../platform/database/connect.ts';
import type { Permission } from '../../platform/permissions.ts';
import { productVersion } from '../../platform/product-version.ts';
import { apiKeyRoutes } from '../api-keys/api-keys.routes.ts';
import type { ApiKeys } from '../api-keys/api-keys.service.ts';
import { metricsRoute } from '../edge/metrics.route.ts';
import type { Metrics } from '../edge/metrics.ts';
import type { Route } from '../edge/routes.ts';
import type { Supergraph } from '../execution/supergraph.ts';
import type { Health } from '../health/health.ts';
import { healthRoutes } from '../health/health.routes.ts';
import { COMPONENT_KINDS } from './component-kinds.ts';
import { docsRoutes } from './docs-page.ts';
import { welcomeRoute } from './welcome-page.ts';
import { mergedDescription } from './openapi.ts';

export interface OwnRoutesOptions {
  readonly config: Config;
  readonly database: Database;
  readonly supergraph: Supergraph;
  readonly bind: (document: string) => { readonly permission: Permission };
  readonly apiKeys: ApiKeys;
  readonly health: Health;
  readonly metrics: Metrics | undefined;
  readonly isTrusted: (address: string) => boolean;
  readonly isServing: () => boolean;
  readonly log: Logger;
}



export function ownRoutes(options: OwnRoutesOptions): Route[] {
  const { config, supergraph, bind, apiKeys, health, metrics, isTrusted, isServing } = options;
  const kinds = COMPONENT_KINDS.filter((kind) => config.components[kind.name].kind === 'graphql');
  const describe = (): string => JSON.stringify(mergedDescription(kinds, supergraph.state.schema, (document) => bind(document).permission, productVersion));
  let description: string | undefined;
  supergraph.onChange(() => { description = undefined; });
  return [
    ...apiKeyRoutes(apiKeys),
    ...healthRoutes({ health, path: config.observability.health.path, isServing }),
    ...(metrics ? [metricsRoute({ metrics, path: config.observability.metrics.path, access: config.observability.metrics.access, isTrusted })] : []),
    {
      method: 'GET', path: '/api/v1/openapi.json', access: 'public',
      handle({ res }) {
        description ??= describe();
        res.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(description) }).end(description);
      },
    },
    ...(config.server.docs ? docsRoutes() : []),
    welcomeRoute({ version: productVersion, explorer: config.graphql.explorer, docs: config.server.docs }),
  ];
}
