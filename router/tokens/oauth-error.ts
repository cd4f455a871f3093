// The errors of the OAuth endpoints: a closed table of its own, since `expired_token` means 400 for a device
// code and 401 for a credential, and since components must not use these codes (RFC 6749, 5.2; RFC 8628, 3.5;
// docs/reference/gateway.md#oauth-errors).
import { DomainError } from '../../platform/errors.ts';

const OAUTH_STATUS = {
  invalid_request: 400,
  invalid_grant: 400,
  unsupported_grant_type: 400,
  unauthorized_client: 400,
  authorization_pending: 400,
  slow_down: 400,
  access_denied: 400,
  expired_token: 400,
  invalid_client: 401,
} as const;

export type OAuthCode = keyof typeof OAUTH_STATUS;

/** Answered by {@link oauthRoute} in the gateway's shape, with the message also as `error_description`. */
export class OAuthError extends Error {
  override name = 'OAuthError';
  readonly code: OAuthCode;

  constructor(code: OAuthCode, description: string) {
    super(description);
    this.code = code;
  }

  get status(): number {
    return OAUTH_STATUS[this.code];
  }
}

/**
 * Refusals of a refresh token are those of credentials (docs/reference/gateway.md#refresh-tokens): 401 with a
 * challenge.
 */
export const refusedToken = (
  code: 'invalid_token' | 'expired_token' | 'revoked_token',
  what: string,
): DomainError => new DomainError(code, what);
