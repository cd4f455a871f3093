// The gateway's own endpoints: keys, health, metrics, the OpenAPI description and its page.
import type { CheckHost } from '../../platform/allowed-hosts.ts';
import type { Config } from '../../platform/config/load-config.ts';
import type { Database } from '../../platform/database/connect.ts';
import { consoleRoutes } from '../console/console.routes.ts';
import { docsRoutes } from '../../platform/docs-page.ts';
import { productVersion } from '../../platform/product-version.ts';
import { metricsRoute } from '../edge/metrics/metrics.route.ts';
import type { Metrics } from '../edge/metrics/metrics.ts';
import type { Route } from '../edge/http/routes.ts';
import type { Supergraph } from '../execution/supergraph.ts';
import type { Health } from '../health/health.ts';
import { healthRoutes } from '../health/health.routes.ts';
import type { AdoptedDescription } from '../pass-through/adopt-description.ts';
import type { OwnDescriptions } from '../pass-through/own-descriptions.ts';
import { COMPONENT_KINDS } from './component-kinds.ts';
import { mergedDescription } from './openapi.ts';
import type { Bound } from '../../rest-compat/binding.ts';
import { gatewayRowHandlers } from './rest-apis.ts';

const SIGN_IN = { oauth2: 'sessions', api_key: 'keys', disabled: 'nobody' } as const;

export interface OwnRoutesOptions {
  readonly config: Config;
  readonly database: Database;
  readonly supergraph: Supergraph;
  readonly bind: (document: string) => Bound;
  readonly health: Health;
  readonly metrics: Metrics | undefined;
  readonly isTrusted: (address: string) => boolean;
  readonly checkHost: CheckHost;
  readonly isServing: () => boolean;
  readonly descriptions: OwnDescriptions;
}

export function ownRoutes(options: OwnRoutesOptions): Route[] {
  const { config, supergraph, bind, health, metrics, isTrusted, checkHost, isServing, descriptions } =
    options;
  const kinds = COMPONENT_KINDS.filter((kind) => config.components[kind.name].kind === 'graphql');
  const describe = (others: ReadonlyMap<string, AdoptedDescription>): string =>
    JSON.stringify(
      mergedDescription({
        kinds,
        others,
        schema: supergraph.state.schema,
        permissionOf: (document) => bind(document).permission,
        version: productVersion,
        configured: {
          hasTokens: config.auth.mode !== 'api_key',
          health: config.observability.health.path,
          metrics: metrics && config.observability.metrics,
        },
      }),
    );
  let description: string | undefined;
  let describedOthers = 0;
  supergraph.onChange(() => {
    description = undefined;
  });
  return [
    ...gatewayRowHandlers(bind, config.graphql.limits),
    ...healthRoutes({
      health,
      path: config.observability.health.path,
      isServing,
      stuck: () => options.database.liveness.stuck,
    }),
    ...(metrics
      ? [
          metricsRoute({
            metrics,
            path: config.observability.metrics.path,
            access: config.observability.metrics.access,
            isTrusted,
            checkHost,
          }),
        ]
      : []),
    {
      method: 'GET',
      path: '/api/v1/openapi.json',
      access: 'public',
      async handle({ res }) {
        const others = await descriptions.known();
        if (others.size !== describedOthers) description = undefined;
        describedOthers = others.size;
        description ??= describe(others);
        res
          .writeHead(200, {
            'content-type': 'application/json; charset=utf-8',
            'content-length': Buffer.byteLength(description),
          })
          .end(description);
      },
    },
    ...(config.server.docs ? docsRoutes() : []),
    ...consoleRoutes({
      version: productVersion,
      explorer: config.graphql.explorer,
      docs: config.server.docs,
      signIn: SIGN_IN[config.auth.mode],
    }),
  ];
}
