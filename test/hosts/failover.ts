// What the agents beside PostgreSQL and the keeper have in common.

export const AGENT_PORT = 8008;
/** How long a server may be the primary without having heard of the keeper. */
export const LEASE_MS = 1500;

/** What an agent says of its server. */
export interface Told {
  /** `none`: it does not answer. */
  readonly role: 'primary' | 'standby' | 'none';
  /** Whether a standby follows it. */
  readonly isStreaming: boolean;
  /** Whether its commits wait for one. */
  readonly isSynchronous: boolean;
}
