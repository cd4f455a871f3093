// Accepts the session of a browser as a credential, from our own pages only (docs/reference/gateway.md#sessions).
import { DomainError } from '../../platform/errors.ts';
import { isFromOwnPage, sessionCookie } from '../../platform/session-cookie.ts';
import type { Verifier } from '../edge/identity/credentials.ts';
import { hashOf } from '../tokens/opaque.ts';
import type { PortalSessionStore } from './portal-sessions.store.ts';

/** No credential header can contain a space, so that none passes for a session. */
const PREFIX = 'session ';

export function createSessionVerifier(
  sessions: Pick<PortalSessionStore, 'find'>,
  issuer: () => string,
): Verifier {
  return {
    recognises: (credential) => credential.startsWith(PREFIX),
    present(headers, method) {
      if (headers.cookie === undefined) return undefined;
      const cookie = sessionCookie(headers, issuer().startsWith('https:'));
      return cookie !== undefined && isFromOwnPage(headers, method, issuer()) ? PREFIX + cookie : undefined;
    },
    async verify(credential) {
      const identity = await sessions
        .find(hashOf(credential.slice(PREFIX.length)))
        .catch((cause: unknown) => {
          throw new DomainError(
            'component_unavailable',
            'the store of sessions does not answer',
            { component: 'gateway', upstream_status: null },
            { cause },
          );
        });
      if (identity === undefined)
        throw new DomainError(
          'invalid_token',
          'nobody is signed in, or the session has ended: sign in again',
        );
      return identity;
    },
  };
}
