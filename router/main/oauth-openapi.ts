// OpenAPI of the OAuth endpoints (docs/reference/gateway.md#token-endpoints): requests in either encoding,
// answers, and their own error shape.
import { PATHS } from '../tokens/token.routes.ts';

type JsonSchema = Readonly<Record<string, unknown>>;
const string = { type: 'string' };
const integer = { type: 'integer' };
const object = (properties: Record<string, JsonSchema>, required = Object.keys(properties)): JsonSchema => ({
  type: 'object',
  required,
  properties,
});
const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/gateway_${name}` });

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
  ),
  gateway_DeviceCode: object({
    device_code: string,
    user_code: string,
    verification_uri: { type: 'string', format: 'uri' },
    verification_uri_complete: { type: 'string', format: 'uri' },
    expires_in: integer,
    interval: integer,
  }),
  gateway_OAuthError: { allOf: [ref('Error'), object({ error_description: string })] },
};

const client = { client_id: string, client_secret: string };

/** Answers of these endpoints are never cached; their errors have `error_description`, too. */
const oauth = { isPublic: true, error: ref('OAuthError') } as const;
const start = {
  ...oauth,
  summary: 'Start the device flow: a code for the device, a code for the person.',
  answer: ref('DeviceCode'),
};

export const OAUTH_ENDPOINTS = {
  [PATHS.token]: {
    post: {
      ...oauth,
      id: 'issueToken',
      summary: 'Issue tokens. Clients may authenticate by HTTP Basic as well.',
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
      ),
    },
  },
  [PATHS.refresh]: {
    post: {
      ...oauth,
      id: 'refreshToken',
      summary: 'Exchange a refresh token for a new pair; the one submitted is spent.',
      answer: ref('Tokens'),
      bodyMedia: ['application/json', FORM],
      body: object({ grant_type: { const: 'refresh_token' }, refresh_token: string, ...client }, [
        'grant_type',
        'refresh_token',
      ]),
    },
  },
  [PATHS.revoke]: {
    post: {
      ...oauth,
      id: 'revokeToken',
      summary:
        'Revoke a refresh token with its family, or an access token; a bare jti takes an administrator.',
      answer: object({ revoked: { type: 'boolean' } }),
      bodyMedia: ['application/json', FORM],
      body: object({ token: string, token_type_hint: string }, ['token']),
    },
  },
  [PATHS.device]: {
    get: { ...start, id: 'startDeviceFlow', query: { client_id: { type: 'string', default: 'cli' } } },
    post: {
      ...start,
      id: 'startDeviceFlowByPost',
      bodyMedia: ['application/json', FORM],
      body: object({ client_id: { type: 'string', default: 'cli' } }, []),
    },
  },
  [PATHS.authorize]: {
    get: {
      id: 'authorize',
      summary: 'Ask the user, in a browser, for an authorization code. Ends in a redirect to the client.',
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
  [PATHS.jwks]: {
    get: {
      id: 'keySet',
      summary: 'The keys that verify access tokens (RFC 7517).',
      isPublic: true,
      answer: object({ keys: { type: 'array', items: { type: 'object' } } }),
    },
  },
  [PATHS.rotateKeys]: {
    post: {
      id: 'rotateSigningKeys',
      summary: 'Sign with a new key from now on; what is signed stays valid.',
      answer: object({ kid: string }),
    },
  },
  [PATHS.metadata]: {
    get: {
      id: 'authorizationServer',
      summary: "The authorization server's metadata (RFC 8414).",
      isPublic: true,
      answer: object({
        issuer: string,
        authorization_endpoint: string,
        token_endpoint: string,
        revocation_endpoint: string,
        device_authorization_endpoint: string,
        jwks_uri: string,
      }),
    },
  },
} as const;
