// Who is asking: the identity that the edge establishes once and every component receives.
import type { Budget } from './budget/budget.ts';

/** Roles of spec 1, «Authentication» 6. `service` stands outside the order of the others (contract 1.2). */
export const ROLES = ['viewer', 'analyst', 'project_lead', 'admin', 'service'] as const;
export type Role = (typeof ROLES)[number];
export const isRole = (name: unknown): name is Role => (ROLES as readonly unknown[]).includes(name);

/** The projects an actor is in: all of them, or a list (contract 1.3). */
export type Projects = '*' | readonly string[];

export interface Identity {
  /** What the operation that they ask by may still take; absent where nothing counts it. Says nothing of who they are. */
  readonly budget?: Budget;
  /** `user:<name>`, `service:<name>` or `anonymous`. */
  readonly actor: string;
  readonly roles: readonly Role[];
  readonly projects: Projects;
  /** By which credential it was proved, in the gateway's own words: whoever acts for it later asks whether that still stands. */
  readonly credential?: string;
}

/** One request's identity and its number: what travels with an operation from the edge to a store. */
export interface Caller extends Identity {
  /** UUIDv4 of the request; equals `X-Request-Id` and `request_id`. */
  readonly requestId: string;
  /** W3C trace context, passed on as it came. */
  readonly traceparent?: string;
  /** Whether the actor is nobody's but the caller's own word: a component by itself, without keys to verify by. */
  readonly isSelfNamed?: boolean;
  /** Aborted when the client has gone away. */
  readonly signal?: AbortSignal;
}

export const isMember = (identity: Identity, project: string): boolean =>
  identity.projects === '*' || identity.projects.includes(project);

/** Two identities with the same key see the same data: the part of a cache or coalescing key that keeps rights apart. */
export const visibilityKey = (identity: Identity): string =>
  identity.projects === '*' ? '*' : JSON.stringify([...identity.projects].sort());

/** An actor as header text: printable ASCII as it is, anything else percent-encoded, and the percent sign with it. */
const actorText = (actor: string): string =>
  /^[\x20-\x24\x26-\x7e]*$/.test(actor) ? actor : encodeURI(actor);

/** A project whose name is `*` must not read as all of them. */
const projectText = (name: string): string => encodeURIComponent(name).replaceAll('*', '%2A');

/**
 * Headers of spec 1 «Authentication» 8 and contract 1.3 (4), as the edge injects and a component's reader takes them.
 * @param signed the same identity, signed for the component that is asked
 */
export const identityHeaders = (caller: Caller, signed: string | undefined): Record<string, string> => ({
  ...(signed === undefined ? {} : { 'x-platform-identity': signed }),
  'x-platform-actor': actorText(caller.actor),
  'x-platform-roles': caller.roles.join(','),
  'x-platform-request-id': caller.requestId,
  'x-platform-projects': caller.projects === '*' ? '*' : caller.projects.map(projectText).join(','),
  ...(caller.traceparent === undefined ? {} : { traceparent: caller.traceparent }),
});
