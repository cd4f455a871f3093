// The REST API of a component over the supergraph.
import { BULK_BODY_LIMIT, GATEWAY_API } from '../../rest-compat/rest-apis.ts';
import type { SendEvents } from '../../platform/send-event-stream.ts';
import { type RowHandler, rowHandlers } from '../../rest-compat/row-handlers.ts';
import type { Logger } from 'pino';
import type { OperationLimits } from '../../platform/budget/limits.ts';
import type { RestApi } from '../../platform/request-context.ts';
import type { Permission } from '../../platform/permissions.ts';
import { binding, type Bound } from '../../rest-compat/binding.ts';
import { createRestApi } from '../../rest-compat/handler.ts';
import type { Component, ComponentExtensions } from '../../platform/component.ts';
import type { Caller } from '../../platform/identity.ts';
import type { SignIdentity } from '../../platform/signed-identity/identity-signer.ts';
import type { Supergraph } from '../execution/supergraph.ts';
import type { ClientAddresses } from '../edge/identity/client-address.ts';
import { gatewayPermissions } from '../gateway-schema/nouns.ts';
import type { Circuits } from '../circuit/circuit.ts';
import { ConcurrencyLimits } from '../graphql/concurrency-limits.ts';
import { createPassThrough, type PassThroughApi } from '../pass-through/pass-through.ts';
import { allPermissions, COMPONENT_KINDS, type ComponentKind } from './component-kinds.ts';
import type { Config } from '../../platform/config/load-config.ts';

/** The permissions of every root field of the platform's own components and the gateway. */
export const ROOT_PERMISSIONS: Readonly<Record<string, Permission>> = {
  ...allPermissions,
  ...gatewayPermissions,
};

/** The documents of rows, executed by the supergraph. */
const binder = (supergraph: Supergraph): ((document: string) => Bound) =>
  binding(
    {
      prepare: (document) => supergraph.bind(document),
      async subscribe(document, variables, caller) {
        const { subscribe } = supergraph.prepare(document);
        if (!subscribe) throw new Error('a document that is no subscription');
        return await subscribe(variables, caller);
      },
    },
    ROOT_PERMISSIONS,
  );

const SCHEMA_REVISION = 'query SchemaRevision { schemaRevision }';
const PLATFORM: Omit<Caller, 'requestId'> = { actor: 'service:router', roles: ['service'], projects: [] };

function restApiOf(
  kind: ComponentKind,
  supergraph: Supergraph,
  bind: (document: string) => Bound,
  {
    config,
    files,
    log,
    sendEvents,
  }: Pick<RestApisOptions, 'config' | 'log' | 'sendEvents'> & { readonly files: Component | undefined },
): RestApi {
  const extensions = async (): Promise<ComponentExtensions> => {
    if (kind.name !== 'metadata') return {};
    const { extensions: said } = await bind(SCHEMA_REVISION).run(
      {},
      { ...PLATFORM, requestId: '00000000-0000-4000-8000-000000000000' },
    );
    return said ?? {};
  };
  return createRestApi({
    component: kind.name,
    prefix: `/api/v1/${kind.name}`,
    rows: kind.rows,
    envelope: kind.envelope,
    refuse: kind.refuse,
    prepare: bind,
    content: files?.content,
    receive: files?.receive,
    sendEvents,
    limits: config.graphql.limits,
    bulkBodyLimit: BULK_BODY_LIMIT,
    extensions,
    onFault: (err, { requestId }) =>
      log.error({ err, requestId, component: kind.name }, 'unexpected error in a REST route'),
  });
}

const GATEWAY_PREFIX = '/api/v1/gateway';

/**
 * The gateway's own rows, for the table of its own routes: other paths below their prefix do not belong to
 * them.
 */
export const gatewayRowHandlers = (
  prepare: (document: string) => Bound,
  limits?: OperationLimits,
): readonly RowHandler[] =>
  rowHandlers({
    prefix: GATEWAY_PREFIX,
    rows: GATEWAY_API.rows,
    envelope: GATEWAY_API.envelope,
    refuse: GATEWAY_API.refuse,
    prepare,
    ...(limits === undefined ? {} : { limits }),
  });

export interface RestApisOptions {
  readonly config: Config;
  readonly supergraph: Supergraph;
  readonly addresses: ClientAddresses;
  readonly circuits: Circuits;
  readonly sign: SignIdentity;
  /** The components of the supergraph; one of them may keep files. */
  readonly parts: readonly Component[];
  readonly sendEvents: SendEvents;
  readonly log: Logger;
}

/**
 * docs/reference/gateway.md#components: everything below the cache requires an administrator (`DELETE
 * /api/v1/artifact/cache/*`), also deeper than the platform's own rows.
 */
const isBelowCache = (component: string, method: string, path: string): boolean =>
  component === 'artifact' && method === 'DELETE' && /^(?:\/api\/v1)?\/cache(?:\/|$)/.test(path);

/**
 * A foreign implementation of one of the three components answers its paths; the platform's rows still define
 * the required roles. Public rows are not public here: nothing is forwarded without a credential
 * (docs/reference/gateway.md#public-paths).
 */
const withRolesOf = (rows: RestApi, foreign: RestApi): RestApi => ({
  component: foreign.component,
  match(method, path) {
    const { access, template } = rows.match(method, path);
    const forwarded = access === 'public' ? 'authenticated' : access;
    return {
      ...foreign.match(method, path),
      access: isBelowCache(foreign.component, method, path) ? 'artifact:evict' : forwarded,
      template,
    };
  },
});

/** One REST API for every component: rows over GraphQL, or pass-through (docs/decisions/0002). */
export function createRestApis({
  config,
  supergraph,
  addresses,
  parts,
  sign,
  circuits,
  sendEvents,
  log,
}: RestApisOptions): {
  restApis: Record<string, RestApi>;
  bind: (document: string) => Bound;
  closeStreams: () => void;
  close: () => Promise<void>;
} {
  const bind = binder(supergraph);
  const files = parts.find((part) => part.content !== undefined);
  const restApis: Record<string, RestApi> = {};
  const passing: PassThroughApi[] = [];
  const websockets = new ConcurrencyLimits(config.server.limits.websocketsPerActor, 'WebSockets');
  for (const [name, { kind, url, timeoutMs }] of Object.entries(config.components)) {
    const own = COMPONENT_KINDS.find((k) => k.name === name);
    if (kind === 'graphql') {
      if (own) restApis[name] = restApiOf(own, supergraph, bind, { config, files, log, sendEvents });
      continue;
    }
    if (url === undefined) throw new Error(`components.${name} is of kind rest but has no url`);
    const foreign = createPassThrough({
      name,
      url,
      timeoutMs,
      addresses,
      sign,
      circuit: circuits.of(name),
      perActor: (actor) => websockets.take(actor),
    });
    passing.push(foreign);
    restApis[name] = own
      ? withRolesOf(restApiOf(own, supergraph, bind, { config, files, log, sendEvents }), foreign)
      : foreign;
  }
  return {
    restApis,
    bind,
    closeStreams() {
      for (const restApi of passing) restApi.closeStreams();
    },
    close: async () => {
      await Promise.all(passing.map((restApi) => restApi.close()));
    },
  };
}
