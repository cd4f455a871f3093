// Identifies the callers of a component in its own process, as configured
// (docs/reference/gateway.md#component-by-itself, docs/decisions/0059).
import type { Config } from '../platform/config/load-config.ts';
import { isLoopbackHost, networkMatcher } from '../platform/config/networks.ts';
import { identifyAlone } from '../platform/identify-alone.ts';
import { isLocalRequest } from '../platform/is-local-request.ts';
import { createIdentityVerifier } from '../platform/signed-identity/identity-verifier.ts';
import { verificationKeys } from '../platform/signed-identity/verification-keys.ts';
import type { KeySet } from '../platform/signing-keys/key-set.ts';
import type { AloneOptions } from './serve-alone.ts';
import { longestLife } from '../platform/token-life.ts';

/** Development: callers on this machine are trusted. Otherwise bearer tokens are verified. */
const believesThisMachine = ({ server, auth }: Config): boolean =>
  server.mode === 'development' && auth.jwksUrl === undefined;

/** @throws Error if other machines can reach it and no key set is configured */
export function assertCallersKnown({ server, auth }: Config): void {
  if (isLoopbackHost(server.host) || auth.jwksUrl !== undefined) return;
  throw new Error(
    `this component would be reachable at ${server.host} from other machines, but has no keys to verify its callers: ` +
      "set auth.jwks_url to the router's /api/v1/gateway/auth/jwks.json, or server.host to a loopback address",
  );
}

/**
 * A signed identity is accepted from anywhere; plain headers, if enabled, from this machine and trusted
 * networks only.
 */
export function callersOf(
  config: Config,
  component: string,
  keys: Pick<KeySet, 'verificationKey'>,
): Pick<AloneOptions, 'reader' | 'identify'> {
  const { auth, trustedNetworks } = config;
  const isTrusted = networkMatcher(trustedNetworks);
  const believed = auth.plainHeaders ?? believesThisMachine(config);
  const verifyBy = verificationKeys(keys, auth.jwksUrl);
  const reader: AloneOptions['reader'] = {
    verify: createIdentityVerifier({ keys: verifyBy, audience: component, issuer: auth.issuer }),
    believes: (req) => believed && isLocalRequest(req) && isTrusted(req.socket.remoteAddress),
  };
  return {
    reader,
    identify: identifyAlone({
      reader,
      keys: believesThisMachine(config) ? undefined : verifyBy,
      issuer: auth.issuer,
      audience: auth.audience,
      longestSeconds: longestLife(auth),
    }),
  };
}
