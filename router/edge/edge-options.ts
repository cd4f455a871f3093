// What the stages are given beside the request: everything that is decided once, at start.
import type { Logger } from 'pino';
import type { StandingRights } from '../../platform/acting.ts';
import type { CheckHost } from '../../platform/allowed-hosts.ts';
import type { Match } from '../../platform/request-context.ts';
import type { AuditLog } from './audit/audit-log.ts';
import type { ClientAddresses } from './client-address.ts';
import type { CorsPolicy } from './cors-policy.ts';
import type { Credentials } from './credentials.ts';
import type { RateLimits } from './rate-limiter.ts';
import type { Metrics } from './metrics.ts';

export interface Edge {
  /** What a path leads to; always something, if only a refusal (see routes.ts). */
  readonly findRoute: (method: string, path: string) => Match;
  /** Verifiers in the order they are asked, or with `auth.mode: disabled` the identity everybody has. */
  readonly credentials: Credentials;
  /** What is left of rights that something was submitted with; without it nobody acts for others. */
  readonly standing?: StandingRights | undefined;
  /** Without it nothing is limited. */
  readonly rateLimits?: RateLimits | undefined;
  readonly cors: CorsPolicy;
  readonly addresses: ClientAddresses;
  readonly checkHost: CheckHost;
  /** `server.body_limit` in bytes. */
  readonly bodyLimit: number;
  readonly audit?: AuditLog | undefined;
  readonly metrics?: Metrics | undefined;
  readonly log: Logger;
}
