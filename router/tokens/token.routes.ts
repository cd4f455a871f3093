// The endpoints for programs: token, refresh, revoke, device start, key set, metadata
// (docs/reference/gateway.md#token-endpoints).
import { DomainError } from '../../platform/errors.ts';
import { type RequestContext, METHODS } from '../../platform/request-context.ts';
import type { Route } from '../edge/http/routes.ts';
import { sendJson } from '../edge/http/send-json.ts';
import { readCodeExchange } from './authorize.service.ts';
import type { NoteChange } from '../edge/audit/audit-record.ts';
import {
  assertGrant,
  type Client,
  type ClientClaim,
  type Clients,
  DEFAULT_CLIENT,
  DEVICE_GRANT,
} from './clients.ts';
import type { DeviceCodes } from './device-codes.service.ts';
import type { Introspection } from './introspection.service.ts';
import { OAuthError } from './oauth-error.ts';
import { oauthRoute, type OAuthRouteOptions } from './oauth-route.ts';
import {
  bodyParameters,
  clientClaim,
  type Parameters,
  queryParameters,
  required,
  usesBasic,
} from './parameters.ts';
import type { Keyring } from './signing-keys/keyring.ts';
import type { TokenAnswer, Tokens } from './tokens.service.ts';

const AUTH = '/api/v1/gateway/auth';
export const PATHS = {
  token: `${AUTH}/token`,
  refresh: `${AUTH}/token/refresh`,
  revoke: `${AUTH}/token/revoke`,
  introspect: `${AUTH}/token/introspect`,
  device: `${AUTH}/device`,
  authorize: `${AUTH}/authorize`,
  jwks: `${AUTH}/jwks.json`,
  rotateKeys: `${AUTH}/signing-keys/rotate`,
  metadata: '/.well-known/oauth-authorization-server',
  resource: '/.well-known/oauth-protected-resource',
} as const;

export interface TokenRoutesOptions extends OAuthRouteOptions {
  readonly clients: Clients;
  readonly tokens: Tokens;
  readonly devices: DeviceCodes;
  readonly keyring: Keyring;
  readonly issuer: () => string;
  /** The address of what tokens are for (RFC 9728). */
  readonly resource: () => string;
  /** Other issuers whose tokens are accepted. */
  readonly otherIssuers: readonly string[];
  readonly introspection: Introspection;
  /** Receives failed authentications of clients, and new signing keys. */
  readonly note: NoteChange;
}

/** The client, or the refusal: the audit record names an existing client. */
async function authenticated(
  { clients, note }: TokenRoutesOptions,
  { requestId }: RequestContext,
  claim: ClientClaim,
): Promise<Client> {
  try {
    return await clients.authenticate(claim);
  } catch (refusal) {
    const { id } = claim;
    const isKnown = id !== undefined && (clients.find(id) !== undefined || /^key_[0-9a-f]{1,64}$/.test(id));
    note(requestId, 'anonymous', {
      action: 'client.refuse',
      subject: isKnown ? `client:${id}` : 'client:unknown',
    });
    throw refusal;
  }
}

type GrantHandler = (parameters: Parameters, ctx: RequestContext) => Promise<TokenAnswer>;

/**
 * `mayOmitClient`: docs/reference/gateway.md#refresh-endpoint takes two parameters only; if the client is
 * named, it must be the right one.
 */
async function refresh(
  options: TokenRoutesOptions,
  parameters: Parameters,
  ctx: RequestContext,
  mayOmitClient: boolean,
): Promise<TokenAnswer> {
  const claim = clientClaim(ctx.req, parameters);
  const client =
    claim.id === undefined && claim.secret === undefined
      ? undefined
      : await authenticated(options, ctx, claim);
  return options.tokens.refresh(required(parameters, 'refresh_token'), client, mayOmitClient);
}

function grantHandlers(options: TokenRoutesOptions): Readonly<Record<string, GrantHandler>> {
  const { tokens, devices } = options;
  const clientOf = (ctx: RequestContext, parameters: Parameters): Promise<Client> =>
    authenticated(options, ctx, clientClaim(ctx.req, parameters));
  return {
    client_credentials: async (parameters, ctx) => {
      const client = await clientOf(ctx, parameters);
      // for the audit record
      ctx.caller = { actor: client.actor, roles: [], projects: [], requestId: ctx.requestId };
      return tokens.forClient(client);
    },
    authorization_code: async (parameters, ctx) => {
      const client = await clientOf(ctx, parameters);
      assertGrant(client, 'authorization_code');
      return tokens.forCode(client, readCodeExchange(parameters, client));
    },
    [DEVICE_GRANT]: async (parameters, ctx) => {
      const claim = clientClaim(ctx.req, parameters);
      const client = await authenticated(options, ctx, { ...claim, id: claim.id ?? DEFAULT_CLIENT });
      return devices.redeem(client, required(parameters, 'device_code'));
    },
    refresh_token: (parameters, ctx) => refresh(options, parameters, ctx, false),
  };
}

/** RFC 8414. */
const metadata = (issuer: string): Record<string, unknown> => ({
  issuer,
  authorization_endpoint: issuer + PATHS.authorize,
  token_endpoint: issuer + PATHS.token,
  revocation_endpoint: issuer + PATHS.revoke,
  device_authorization_endpoint: issuer + PATHS.device,
  jwks_uri: issuer + PATHS.jwks,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['client_credentials', 'authorization_code', 'refresh_token', DEVICE_GRANT],
  token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
  revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
  introspection_endpoint: issuer + PATHS.introspect,
  introspection_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
});

/** RFC 9728: whose tokens are accepted here, for clients that were refused without one. */
const resourceMetadata = (resource: string, issuers: readonly string[]): Record<string, unknown> => ({
  resource,
  resource_name: 'Cairn',
  authorization_servers: issuers,
  bearer_methods_supported: ['header'],
});

/** Public documents that may be cached. */
function sendCached({ res }: RequestContext, value: unknown): void {
  const body = JSON.stringify(value);
  res
    .writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'cache-control': 'public, max-age=300',
    })
    .end(body);
}

export function tokenRoutes(options: TokenRoutesOptions): readonly Route[] {
  const { tokens, devices, keyring, issuer, note } = options;
  const grants = grantHandlers(options);
  const startDevice = async (ctx: RequestContext, parameters: Parameters): Promise<unknown> => {
    const { id, secret } = clientClaim(ctx.req, parameters);
    if (secret !== undefined || usesBasic(ctx.req)) await authenticated(options, ctx, { id, secret });
    return devices.start(id);
  };
  const rotateKeys = async (ctx: RequestContext): Promise<void> => {
    const kid = await keyring.rotate();
    note(ctx.requestId, ctx.caller.actor, { action: 'signing_key.create', subject: kid });
    sendJson(ctx, 200, { kid });
  };
  return [
    oauthRoute(
      'POST',
      PATHS.token,
      async (ctx) => {
        const parameters = await bodyParameters(ctx);
        const type = required(parameters, 'grant_type');
        const handle = Object.hasOwn(grants, type) ? grants[type] : undefined;
        if (handle === undefined)
          throw new OAuthError('unsupported_grant_type', 'this grant_type is not supported');
        return handle(parameters, ctx);
      },
      options,
    ),
    oauthRoute(
      'POST',
      PATHS.refresh,
      async (ctx) => {
        const parameters = await bodyParameters(ctx);
        if (required(parameters, 'grant_type') !== 'refresh_token')
          throw new OAuthError('unsupported_grant_type', 'grant_type must be refresh_token');
        return refresh(options, parameters, ctx, true);
      },
      options,
    ),
    oauthRoute('POST', PATHS.revoke, async (ctx) => {
      const token = required(await bodyParameters(ctx), 'token');
      return { revoked: await tokens.revoke(token, ctx.caller) };
    }),
    oauthRoute(
      'POST',
      PATHS.introspect,
      async (ctx) => {
        const parameters = await bodyParameters(ctx);
        const client = await authenticated(options, ctx, clientClaim(ctx.req, parameters));
        if (!client.isConfidential)
          throw new OAuthError('invalid_client', 'only clients with a secret may ask about tokens');
        ctx.caller = { actor: client.actor, roles: [], projects: [], requestId: ctx.requestId };
        return options.introspection.of(required(parameters, 'token'), client);
      },
      options,
    ),
    oauthRoute('GET', PATHS.device, async (ctx) => startDevice(ctx, queryParameters(ctx.search)), options),
    oauthRoute('POST', PATHS.device, async (ctx) => startDevice(ctx, await bodyParameters(ctx)), options),
    jwksRoute(keyring),
    {
      method: 'GET',
      path: PATHS.metadata,
      access: 'public',
      handle: (ctx) => sendCached(ctx, metadata(issuer())),
    },
    {
      method: 'GET',
      path: PATHS.resource,
      access: 'public',
      handle: (ctx) =>
        sendCached(ctx, resourceMetadata(options.resource(), [issuer(), ...options.otherIssuers])),
    },
    {
      method: 'POST',
      path: PATHS.rotateKeys,
      access: 'tokens:manage',
      handle: (ctx) => rotateKeys(ctx),
    },
  ];
}

const jwksRoute = (keyring: Keyring): Route => ({
  method: 'GET',
  path: PATHS.jwks,
  access: 'public',
  handle: (ctx) => sendCached(ctx, keyring.jwks()),
});

/**
 * With `auth.mode: api_key` there are no tokens: their endpoints are 404 for everybody
 * (docs/reference/gateway.md#authentication-modes). The key set stays public, because components verify the
 * router with it.
 */
export function absentTokenRoutes(keyring: Keyring): readonly Route[] {
  const gone = (method: Route['method'], path: string): Route => ({
    method,
    path,
    access: 'public',
    handle: () => {
      throw new DomainError('route_not_found', `there is no resource at ${path} while auth.mode is api_key`);
    },
  });
  const absent = Object.values(PATHS).filter((path) => path !== PATHS.rotateKeys && path !== PATHS.jwks);
  return [
    jwksRoute(keyring),
    ...absent.flatMap((path) =>
      METHODS.filter((method) => method !== 'OPTIONS').map((method) => gone(method, path)),
    ),
  ];
}
