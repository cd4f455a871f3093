// The dependencies of the stages that are fixed at start.
import type { Logger } from 'pino';
import type { CheckHost } from '../../../platform/allowed-hosts.ts';
import type { Match, RequestContext } from '../../../platform/request-context.ts';
import type { ActingRules } from '../../acting/act-within.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { ClientAddresses } from '../identity/client-address.ts';
import type { CorsPolicy } from './cors-policy.ts';
import type { Credentials } from '../identity/credentials.ts';
import type { RateLimits } from '../rate-limits/rate-limiter.ts';
import type { Metrics } from '../metrics/metrics.ts';

export interface Edge {
  /** The route of a path; never undefined, possibly a refusal (see routes.ts). */
  readonly findRoute: (method: string, path: string) => Match;
  /** Verifiers in order, or with `auth.mode: disabled` the identity of all callers. */
  readonly credentials: Credentials;
  /** The address of the resource's metadata, for callers without a valid credential. */
  readonly resourceMetadata?: (() => string) | undefined;
  /** Registers a callback for the end of any credential; returns a function that removes it. */
  readonly onEnding?: ((look: () => void) => () => void) | undefined;
  /** Without it no caller acts for others. */
  readonly acting?: ActingRules | undefined;
  /** Without it there is no rate limit. */
  readonly rateLimits?: RateLimits | undefined;
  readonly cors: CorsPolicy;
  readonly addresses: ClientAddresses;
  readonly checkHost: CheckHost;
  /** Answers a browser that asks for a page which does not exist; otherwise such requests get JSON. */
  readonly sendMissingPage?: ((ctx: RequestContext) => void) | undefined;
  /** `server.body_limit` in bytes. */
  readonly bodyLimit: number;
  readonly audit?: AuditLog | undefined;
  readonly metrics?: Metrics | undefined;
  readonly log: Logger;
}
