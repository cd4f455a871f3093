// Section `auth`: how actors authenticate (docs/reference/gateway.md#auth-keys).
import { z } from 'zod';
import { ROLES } from '../identity.ts';
import { isLoopbackHost } from './networks.ts';
import { section } from './section.ts';
import { baseUrl, count, name, type Scope, seconds, secretEnv, nonEmptyText, url } from './values.ts';

/**
 * Grants that a client may use, by their `grant_type`; the file may use a short name for the device grant.
 */
export const GRANTS = [
  'client_credentials',
  'authorization_code',
  'refresh_token',
  'urn:ietf:params:oauth:grant-type:device_code',
] as const;
export type Grant = (typeof GRANTS)[number];
const grant = () => z.preprocess((value) => (value === 'device_code' ? GRANTS[3] : value), z.enum(GRANTS));

const projects = () =>
  z
    .preprocess((value) => (value === '*' ? ['*'] : value), z.array(nonEmptyText()))
    .transform((list): '*' | readonly string[] => (list.includes('*') ? '*' : list));

/**
 * Exact redirect URIs (RFC 8252 and 9700): https, or http on the loopback interface, or an app's own scheme.
 */
const redirectUri = () =>
  z.string().refine((value) => {
    const parsed = URL.canParse(value) ? new URL(value) : undefined;
    if (parsed === undefined || value.includes('#') || value.includes('*')) return false;
    if (parsed.protocol === 'http:') return ['localhost', '127.0.0.1', '[::1]'].includes(parsed.hostname);
    return parsed.protocol === 'https:' || parsed.protocol.includes('.');
  }, 'must be an exact https URL (http only for localhost), without fragment and without *');

const client = (scope: Scope) =>
  section({
    client_id: name(),
    secret_env: secretEnv(scope).optional(),
    grants: z.array(grant()).min(1),
    roles: z.array(z.enum(ROLES)).min(1).default(['service']),
    projects: projects().prefault('*'),
    redirect_uris: z.array(redirectUri()).default([]),
  }).superRefine((value, context) => {
    const fault = (key: string, message: string): void => {
      context.addIssue({ code: 'custom', path: [key], message });
    };
    if (value.grants.includes('client_credentials') && value.secret === undefined)
      fault('secret_env', 'is required for the grant client_credentials');
    if (value.grants.includes('authorization_code') && value.redirectUris.length === 0)
      fault('redirect_uris', 'is required for the grant authorization_code');
  });

/** Maps claim values of an issuer (left) to actors, roles and projects of this platform (right). */
const claims = () => ({
  username_claim: nonEmptyText().default('preferred_username'),
  roles: section({
    claim: nonEmptyText().default('groups'),
    map: z.record(z.string(), z.enum(ROLES)).default({}),
    default: z.enum(ROLES).optional(),
  }).prefault({}),
  projects: section({
    claim: nonEmptyText().default('groups'),
    map: z.record(z.string(), projects()).default({}),
    default: projects().prefault([]),
  }).prefault({}),
});

const identityProvider = (scope: Scope) =>
  section({
    issuer: baseUrl(),
    client_id: nonEmptyText(),
    client_secret_env: secretEnv(scope).optional(),
    scopes: z.array(nonEmptyText()).default(['openid', 'profile', 'email']),
    ...claims(),
  });

/** Asymmetric signatures only: a shared secret would let every service of the institute issue tokens. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA'],
] as const;

const isProtected = (value: string): boolean => {
  const { protocol, hostname } = new URL(value);
  return protocol === 'https:' || isLoopbackHost(hostname.replace(/^\[|\]$/g, ''));
};
const NOT_PROTECTED = 'must be an https URL (http only for this machine)';

/** An issuer whose access tokens are accepted at the API. */
const tokenIssuer = (scope: Scope) =>
  section({
    issuer: baseUrl().refine(isProtected, NOT_PROTECTED),
    audience: nonEmptyText(),
    algorithms: z.array(z.enum(ALGORITHMS)).min(1).default(['RS256', 'PS256', 'ES256', 'EdDSA']),
    jwks_url: url('http', 'https').refine(isProtected, NOT_PROTECTED).optional(),
    clock_tolerance_seconds: count(0, 300).default(30),
    longest_token_seconds: seconds().default(86_400),
    ...claims(),
    introspection: section({
      url: url('http', 'https').refine(isProtected, NOT_PROTECTED).optional(),
      client_id: nonEmptyText(),
      client_secret_env: secretEnv(scope),
      cache_seconds: count(1, 300).default(30),
    }).optional(),
  });

export const auth = (scope: Scope) =>
  section({
    mode: z.enum(['oauth2', 'api_key', 'disabled']).default('oauth2'),
    issuer: baseUrl().optional(),
    audience: nonEmptyText().default('cairn'),
    access_token_seconds: seconds().default(900),
    service_token_seconds: seconds().default(300),
    refresh_token_seconds: seconds().default(604_800),
    refresh_family_days: count(1, 3650).default(30),
    session_seconds: seconds().default(43_200),
    signing_key_days: count(1, 3650).default(30),
    jwks_url: url('http', 'https').optional(),
    plain_headers: z.boolean().optional(),
    clients: z.array(client(scope)).default([]),
    identity_provider: identityProvider(scope).optional(),
    issuers: z.array(tokenIssuer(scope)).default([]),
  }).superRefine(({ issuer, identityProvider: provider, issuers }, context) => {
    const fault = (at: number, key: string, message: string): void => {
      context.addIssue({ code: 'custom', path: ['issuers', at, key], message });
    };
    issuers.forEach((one, at) => {
      if (one.issuer === issuer || issuers.findIndex((other) => other.issuer === one.issuer) !== at)
        fault(at, 'issuer', 'is named before: every issuer needs a name of its own');
      if (one.issuer === provider?.issuer && one.audience === provider.clientId)
        fault(
          at,
          'audience',
          'is the client of identity_provider: identity tokens of people would be accepted',
        );
      // an opaque token does not say whose it is, and another issuer must not see it
      if (one.introspection && issuers.findIndex((other) => other.introspection) !== at)
        fault(at, 'introspection', 'is possible for one issuer only');
    });
  });

export type ClientConfig = z.output<ReturnType<typeof client>>;
export type IdentityProviderConfig = z.output<ReturnType<typeof identityProvider>>;
