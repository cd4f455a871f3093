// Signing in with an OpenID Connect provider, and the mapping of its claims
// (docs/reference/gateway.md#identity-provider, `auth.identity_provider`).
import type { Configuration } from 'openid-client';
import { DomainError } from '../../platform/errors.ts';
import type { Config } from '../../platform/config/load-config.ts';
import { isLoopbackHost } from '../../platform/config/networks.ts';
import type { Identity, Projects, Role } from '../../platform/identity.ts';
import { FIRST_ADMINISTRATOR } from '../api-keys/ensure-admin-key.ts';
import { hasNoNul } from '../../platform/queryable.ts';

type Settings = NonNullable<Config['auth']['identityProvider']>;

/**
 * Derived from a browser's own secret for one attempt: nothing is stored, everything is verified on return.
 */
export interface Attempt {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

export interface IdentityProvider {
  /** Its host, for display. */
  readonly name: string;
  /** The URL for the browser. @throws DomainError `component_unavailable` */
  begin(attempt: Attempt, returnTo: string): Promise<URL>;
  /**
   * The identity of the returning user.
   * @throws DomainError `invalid_token` for an answer that does not verify, `insufficient_role` for people
   * without a role here
   */
  complete(currentUrl: URL, attempt: Attempt): Promise<Identity>;
}

const NAME = /^[^\s,\p{Cc}\p{Surrogate}]{1,200}$/u;

/** A claim's values: a list, one value, or a text separated by spaces, because providers differ. */
function valuesOf(claim: unknown): readonly string[] {
  if (Array.isArray(claim)) return claim.filter((value): value is string => typeof value === 'string');
  return typeof claim === 'string' ? [claim, ...claim.split(' ')] : [];
}

const mapped = <Value>(claim: unknown, map: Readonly<Record<string, Value>>): readonly Value[] =>
  // The key exists, as just checked.
  valuesOf(claim).flatMap((value) => (Object.hasOwn(map, value) ? [map[value] as Value] : []));

/** The identity that claims give. @throws DomainError `invalid_token`, `insufficient_role` */
export function identityOf(
  claims: Readonly<Record<string, unknown>>,
  { usernameClaim, roles, projects }: Pick<Settings, 'usernameClaim' | 'roles' | 'projects'>,
): Identity {
  const name = claims[usernameClaim];
  if (typeof name !== 'string' || !NAME.test(name) || !hasNoNul(name))
    throw new DomainError('invalid_token', `the identity provider returned no usable ${usernameClaim}`);
  if (name.normalize('NFC') === FIRST_ADMINISTRATOR)
    throw new DomainError(
      'insufficient_role',
      `${name} is the first administrator here, who has an API key; nobody else can have this name`,
    );
  const found = [...new Set(mapped<Role>(claims[roles.claim], roles.map))];
  const standing = roles.default === undefined ? [] : [roles.default];
  const held = found.length > 0 ? found : standing;
  if (held.length === 0)
    throw new DomainError('insufficient_role', `${name} has no role in Cairn: ask an administrator`);
  const places = mapped<Projects>(claims[projects.claim], projects.map);
  const scope = places.length > 0 ? places : [projects.default];
  return {
    actor: `user:${name.normalize('NFC')}`,
    roles: held,
    projects: scope.includes('*') ? '*' : [...new Set(scope.flatMap((list) => list))],
  };
}

/** Loaded only if a provider is configured, because it takes memory. */
const loadClient = () => import('openid-client');

const unavailable = (cause: unknown): DomainError =>
  new DomainError(
    'component_unavailable',
    'the identity provider does not answer',
    { component: 'identity_provider', upstream_status: null },
    { cause },
  );

export function createIdentityProvider(settings: Settings): IdentityProvider {
  const issuer = new URL(settings.issuer);
  // Plain HTTP only to this machine, for development.
  const isInsecure = issuer.protocol === 'http:' && isLoopbackHost(issuer.hostname.replace(/^\[|\]$/g, ''));
  const discover = async (): Promise<Configuration> => {
    const oidc = await loadClient();
    const authentication =
      settings.clientSecret === undefined
        ? oidc.None()
        : oidc.ClientSecretBasic(settings.clientSecret.reveal());
    return oidc.discovery(issuer, settings.clientId, undefined, authentication, {
      execute: isInsecure ? [oidc.allowInsecureRequests] : [],
      timeout: 10,
    });
  };
  let discovered: Promise<Configuration> | undefined;
  /** Read on first use, and again after a failure. */
  const configuration = (): Promise<Configuration> =>
    (discovered ??= discover().catch((cause: unknown) => {
      discovered = undefined;
      throw unavailable(cause);
    }));

  return {
    name: issuer.host,
    async begin({ state, nonce, codeVerifier }, returnTo) {
      const oidc = await loadClient();
      return oidc.buildAuthorizationUrl(await configuration(), {
        redirect_uri: returnTo,
        scope: settings.scopes.join(' '),
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      });
    },
    async complete(currentUrl, { state, nonce, codeVerifier }) {
      const config = await configuration();
      const oidc = await loadClient();
      try {
        const tokens = await oidc.authorizationCodeGrant(config, currentUrl, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (claims === undefined)
          throw new DomainError('invalid_token', 'the identity provider returned no identity token');
        const needed = [settings.usernameClaim, settings.roles.claim, settings.projects.claim];
        const more =
          needed.every((claim) => claim in claims) || config.serverMetadata().userinfo_endpoint === undefined
            ? {}
            : await oidc.fetchUserInfo(config, tokens.access_token, claims.sub);
        return identityOf({ ...more, ...claims }, settings);
      } catch (cause) {
        if (cause instanceof DomainError) throw cause;
        throw new DomainError(
          'invalid_token',
          'the identity provider did not confirm the sign-in',
          {},
          { cause },
        );
      }
    },
  };
}
