// Section `auth`: how actors authenticate (docs/reference/gateway.md#auth-keys).
import { z } from 'zod';
import { ROLES } from '../identity.ts';
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

/** Maps claim values of the identity provider (left) to roles and projects of this platform (right). */
const identityProvider = (scope: Scope) =>
  section({
    issuer: baseUrl(),
    client_id: nonEmptyText(),
    client_secret_env: secretEnv(scope).optional(),
    scopes: z.array(nonEmptyText()).default(['openid', 'profile', 'email']),
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
  });

export type ClientConfig = z.output<ReturnType<typeof client>>;
export type IdentityProviderConfig = z.output<ReturnType<typeof identityProvider>>;
