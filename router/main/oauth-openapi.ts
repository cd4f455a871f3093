// OpenAPI of the OAuth endpoints (docs/reference/gateway.md#token-endpoints): requests in either encoding,
// answers, and their own error shape.
import { PATHS } from '../tokens/token.routes.ts';
import { SIGN_IN_LINK } from '../users/sign-in-links.routes.ts';
import { integer, type JsonSchema, object, ref, string } from './json-schema.ts';

const FORM = 'application/x-www-form-urlencoded';
const GRANT_TYPES = [
  'client_credentials',
  'authorization_code',
  'refresh_token',
  'urn:ietf:params:oauth:grant-type:device_code',
];

export const OAUTH_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  gateway_Tokens: object(
    {
      access_token: string,
      token_type: { const: 'Bearer' },
      expires_in: integer,
      refresh_token: { type: 'string', pattern: '^rt_' },
    },
    ['access_token', 'token_type', 'expires_in'],
    { access_token: 'eyJhbGciOiJFZERTQSJ9.…', token_type: 'Bearer', expires_in: 900, refresh_token: 'rt_…' },
  ),
  gateway_DeviceCode: object({
    device_code: string,
    user_code: string,
    verification_uri: { type: 'string', format: 'uri' },
    verification_uri_complete: { type: 'string', format: 'uri' },
    expires_in: integer,
    interval: integer,
  }),
  gateway_OAuthError: {
    examples: [
      {
        error: 'invalid_grant',
        error_description: 'the refresh token is not known or not valid any more',
        message: 'the refresh token is not known or not valid any more',
        request_id: '5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a',
        details: {},
      },
    ],
    allOf: [ref('Error'), object({ error_description: string })],
  },
};

const texts = { type: 'array', items: string };
const client = { client_id: string, client_secret: string };

/** Answers of these endpoints are never cached; their errors have `error_description`, too. */
const oauth = { isPublic: true, error: ref('OAuthError') } as const;
const start = {
  ...oauth,
  summary: 'Starts the device flow and returns a device code and a user code.',
  answer: ref('DeviceCode'),
};

export const OAUTH_ENDPOINTS = {
  [PATHS.token]: {
    post: {
      ...oauth,
      id: 'issueToken',
      summary: 'Issues tokens. Clients may also authenticate by HTTP Basic.',
      answer: ref('Tokens'),
      bodyMedia: ['application/json', FORM],
      body: object(
        {
          grant_type: { enum: GRANT_TYPES },
          ...client,
          device_code: string,
          code: string,
          redirect_uri: string,
          code_verifier: string,
          refresh_token: string,
        },
        ['grant_type'],
        {
          grant_type: 'client_credentials',
          client_id: 'importer',
          client_secret: 'the secret of the client',
        },
      ),
    },
  },
  [PATHS.refresh]: {
    post: {
      ...oauth,
      id: 'refreshToken',
      summary: 'Exchanges a refresh token for a new pair of tokens; the submitted token becomes invalid.',
      answer: ref('Tokens'),
      bodyMedia: ['application/json', FORM],
      body: object(
        { grant_type: { const: 'refresh_token' }, refresh_token: string, ...client },
        ['grant_type', 'refresh_token'],
        { grant_type: 'refresh_token', refresh_token: 'rt_of_the_last_answer' },
      ),
    },
  },
  [PATHS.revoke]: {
    post: {
      ...oauth,
      id: 'revokeToken',
      summary:
        'Revokes a refresh token with its family, or an access token. Revoking by a bare jti requires role admin.',
      answer: object({ revoked: { type: 'boolean' } }),
      bodyMedia: ['application/json', FORM],
      body: object({ token: string, token_type_hint: string }, ['token'], { token: 'rt_of_the_last_answer' }),
    },
  },
  [PATHS.introspect]: {
    post: {
      ...oauth,
      id: 'introspectToken',
      summary:
        'Tells a client with a secret whether a token is valid, and what it says (RFC 7662). Clients may also authenticate by HTTP Basic.',
      answer: object(
        {
          active: { type: 'boolean' },
          token_type: string,
          iss: string,
          aud: string,
          sub: string,
          username: string,
          client_id: string,
          exp: integer,
          jti: string,
          roles: texts,
          projects: { oneOf: [{ const: '*' }, texts] },
        },
        ['active'],
      ),
      bodyMedia: ['application/json', FORM],
      body: object({ token: string, token_type_hint: string, ...client }, ['token'], {
        token: 'eyJhbGciOiJFZERTQSJ9.…',
        client_id: 'importer',
        client_secret: 'the secret of the client',
      }),
    },
  },
  [PATHS.device]: {
    get: { ...start, id: 'startDeviceFlow', query: { client_id: { type: 'string', default: 'cli' } } },
    post: {
      ...start,
      id: 'startDeviceFlowByPost',
      bodyMedia: ['application/json', FORM],
      body: object({ client_id: { type: 'string', default: 'cli' } }, [], { client_id: 'cli' }),
    },
  },
  [PATHS.authorize]: {
    get: {
      id: 'authorize',
      summary:
        'Asks the user in a browser for consent, then redirects to the client with an authorization code.',
      isPublic: true,
      media: 'text/html',
      answer: string,
      query: {
        response_type: { const: 'code' },
        client_id: string,
        redirect_uri: { type: 'string', format: 'uri' },
        code_challenge: { type: 'string', pattern: '^[A-Za-z0-9_-]{43}$' },
        code_challenge_method: { const: 'S256' },
        state: string,
      },
    },
  },
  [SIGN_IN_LINK]: {
    post: {
      id: 'createSignInLink',
      summary:
        'Makes a link that opens the console signed in as the caller, once, within ten minutes; for requests from the machine of the server.',
      status: 201,
      answer: object({ url: { type: 'string', format: 'uri' }, actor: string, expires_in: integer }),
    },
  },
  [PATHS.jwks]: {
    get: {
      id: 'keySet',
      summary: 'Returns the keys that verify access tokens (RFC 7517).',
      isPublic: true,
      answer: object({ keys: { type: 'array', items: { type: 'object' } } }),
    },
  },
  [PATHS.rotateKeys]: {
    post: {
      id: 'rotateSigningKeys',
      summary: 'Creates a new signing key for access tokens; issued tokens stay valid.',
      answer: object({ kid: string }),
    },
  },
  [PATHS.metadata]: {
    get: {
      id: 'authorizationServer',
      summary: 'Returns the metadata of the authorization server (RFC 8414).',
      isPublic: true,
      answer: object({
        issuer: string,
        authorization_endpoint: string,
        token_endpoint: string,
        revocation_endpoint: string,
        device_authorization_endpoint: string,
        jwks_uri: string,
        response_types_supported: texts,
        response_modes_supported: texts,
        grant_types_supported: texts,
        code_challenge_methods_supported: texts,
        token_endpoint_auth_methods_supported: texts,
        revocation_endpoint_auth_methods_supported: texts,
        introspection_endpoint: string,
        introspection_endpoint_auth_methods_supported: texts,
        authorization_response_iss_parameter_supported: { type: 'boolean' },
      }),
    },
  },
  [PATHS.resource]: {
    get: {
      id: 'protectedResource',
      summary: 'Returns the issuers whose access tokens are accepted here (RFC 9728).',
      isPublic: true,
      answer: object({
        resource: string,
        resource_name: string,
        authorization_servers: texts,
        bearer_methods_supported: texts,
      }),
    },
  },
} as const;

/** With `auth.mode: api_key` (docs/reference/gateway.md#authentication-modes). */
export const ENDPOINTS_WITHOUT_TOKENS = { [PATHS.jwks]: OAUTH_ENDPOINTS[PATHS.jwks] } as const;
