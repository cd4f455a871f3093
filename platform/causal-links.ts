// The nodes and links of causal chains (docs/reference/metadata.md#why): how they are named, and the form in which each
// component tells those that it knows.
import type { Caller } from './identity.ts';
import { isUnstorable } from './queryable.ts';

export const NODE_KINDS = [
  'request',
  'event',
  'entity',
  'version',
  'field',
  'run',
  'tick',
  'poll',
  'delivery',
  'internal_event',
  'stale_result',
  'production',
  'plan',
  'rule',
  'document',
  'file',
  'retention',
] as const;
export type NodeKind = (typeof NODE_KINDS)[number];

export type LinkComponent = 'metadata' | 'workflow' | 'artifact';
/** Whose nodes those of a kind are; requests are the gateway's. */
const KINDS_OF: Readonly<Record<LinkComponent, readonly NodeKind[]>> = {
  metadata: ['event', 'entity', 'version', 'field'],
  workflow: ['run', 'tick', 'poll', 'delivery', 'internal_event', 'stale_result', 'retention'],
  artifact: ['production', 'plan', 'rule', 'document', 'file'],
};
/** Of others' nodes, those whose effects a component knows. */
const CAUSES_KNOWN: Readonly<Record<LinkComponent, readonly NodeKind[]>> = {
  metadata: ['request', 'run', 'production'],
  workflow: ['request', 'production', 'version', 'event', 'rule'],
  artifact: ['request', 'run', 'version'],
};

// A key begins with its kind.
const kindOf = (key: string): NodeKind => key.slice(0, key.indexOf(':')) as NodeKind;
export const isOf = (component: LinkComponent, key: string): boolean =>
  KINDS_OF[component].includes(kindOf(key));
/** Whether the component may know links of the node. */
export const concerns = (
  component: LinkComponent,
  key: string,
  direction: LinkQuestion['direction'],
): boolean =>
  isOf(component, key) || (direction === 'FORWARD' && CAUSES_KNOWN[component].includes(kindOf(key)));

/** What a node's key says beside its kind. */
export const nodeKey = (kind: NodeKind, id: string): string => `${kind}:${id}`;
/** An entity's id may contain anything but a slash, so it comes last. */
export const versionKey = ({ id, version }: { readonly id: string; readonly version: number }): string =>
  nodeKey('version', `${version}:${id}`);
export const fieldKey = ({ id, field }: { readonly id: string; readonly field: string }): string =>
  nodeKey('field', `${field}:${id}`);

/** Of a trigger or an event, whose names may contain `@`, and of what does not. */
const ofName = (kind: NodeKind, name: string, id: string): string => nodeKey(kind, `${name}@${id}`);
export const tickKey = (trigger: string, tick: string): string => ofName('tick', trigger, tick);
/** @param change the time of the event by which the entity changed */
export const pollKey = (trigger: string, change: string): string => ofName('poll', trigger, change);
/** An event that a run emitted for other triggers. */
export const internalEventKey = (event: string, run: string): string => ofName('internal_event', event, run);

/** @param since when the result was found to be stale: no two have the same time */
export const staleResultKey = (trigger: string, since: string): string =>
  ofName('stale_result', trigger, since);

export interface NamedId {
  readonly name: string;
  readonly id: string;
}
/** What the keys of ticks, polls, internal events and stale results are made of. */
export const namedIn = (
  keys: readonly string[],
  kind: 'tick' | 'poll' | 'internal_event' | 'stale_result',
): readonly NamedId[] =>
  idsOf(keys, kind).flatMap((text) => {
    const at = text.lastIndexOf('@');
    return at < 0 ? [] : [{ name: text.slice(0, at), id: text.slice(at + 1) }];
  });

/** Stands for what a component has deleted, because its time of retention was over. */
export const retentionKey = (component: LinkComponent): string => nodeKey('retention', component);

/** No two events have the same time. */
export const eventKey = (at: string): string => nodeKey('event', at);

/** What a request is made on behalf of, or the request itself. */
export const causeOf = ({ cause, requestId }: Pick<Caller, 'cause' | 'requestId'>): string =>
  cause ?? nodeKey('request', requestId);

/** Whether it names what a service may act on behalf of. */
export const isActingCause = (value: unknown): value is string =>
  typeof value === 'string' && /^(?:run|production):[\w-]{1,100}$/.test(value);

const MAX_KEY_LENGTH = 2000;
export const isNodeKey = (key: string): boolean =>
  key.length <= MAX_KEY_LENGTH && !isUnstorable(key) && NODE_KINDS.some((kind) => key.startsWith(`${kind}:`));

/** The ids of the keys of this kind. */
export const idsOf = (keys: readonly string[], kind: NodeKind): readonly string[] =>
  keys.flatMap((key) => (key.startsWith(`${kind}:`) ? [key.slice(kind.length + 1)] : []));

/** What stands before and after the first colon of an id. */
const halves = (id: string): readonly [string, string] => {
  const at = id.indexOf(':');
  return [id.slice(0, at), id.slice(at + 1)];
};

export interface EntityVersion {
  readonly id: string;
  readonly version: number;
}
/** Numbers that are none of a version are left out. */
export const versionsIn = (keys: readonly string[]): readonly EntityVersion[] =>
  idsOf(keys, 'version').flatMap((text) => {
    const [version, id] = halves(text);
    return /^[1-9]\d{0,8}$/.test(version) ? [{ id, version: Number(version) }] : [];
  });

export interface FieldOfEntity {
  readonly id: string;
  readonly field: string;
}
export const fieldsIn = (keys: readonly string[]): readonly FieldOfEntity[] =>
  idsOf(keys, 'field').map((text) => {
    const [field, id] = halves(text);
    return { id, field };
  });

export type LinkKind =
  /** A request, run or production wrote an event. */
  | 'WROTE'
  /** An event made a version of its entity. */
  | 'MADE'
  /** A version follows the one before it. */
  | 'FOLLOWS'
  /** An entity and its version. */
  | 'VERSION'
  /** An event set a field. */
  | 'SET'
  /** A request sent a delivery. */
  | 'SENT'
  /** A poll found an event, and with it a version; or a trigger, that a version had become stale. */
  | 'FOUND'
  /** A version of something else, or a rule, made a result stale that a trigger found. */
  | 'OUTDATED'
  /** A run emitted an internal event. */
  | 'EMITTED'
  /** A request, tick, poll, delivery, internal event or stale result fired a run. */
  | 'FIRED'
  /** A request, run or production asked for a production. */
  | 'ASKED'
  /** A production follows a plan. */
  | 'PLANNED'
  /** A request, run or production registered a rule. */
  | 'REGISTERED'
  /** The workflow of a rule consists of documents. */
  | 'DOCUMENT'
  /** A production was made by a rule. */
  | 'RULE'
  /** A production was made with a version or a file. */
  | 'INPUT'
  /** A production made a file, or a version of an entity was given one. */
  | 'STORED'
  /** A request told of a plan, by whose hash a production was asked for. */
  | 'RESOLVED'
  /** What stood there has been deleted, because its time of retention was over. */
  | 'EXPIRED';

export interface CausalNode {
  readonly key: string;
  readonly name: string;
  /** When it came about; null where nobody knows. */
  readonly at: string | null;
  readonly actor: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

/** `cause` is in the past of `effect`. */
export interface CausalLink {
  readonly cause: string;
  readonly effect: string;
  readonly kind: LinkKind;
}

/** What a component knows of some nodes, as far as a caller may see it. */
export interface CausalLinks {
  /** Those of the asked nodes that belong to the component, and that the caller may see. */
  readonly nodes: readonly CausalNode[];
  /** To nodes of every component, which need not be visible. */
  readonly links: readonly CausalLink[];
  /** Keys beside those asked, whose nodes and links these are, too: what was read with the others. */
  readonly also?: readonly string[];
  /** Of the asked keys those that may have further links, after as many as were asked for. */
  readonly more?: readonly string[];
  /** Since when all is there that the component deletes in time; absent where nothing was deleted. */
  readonly keptSince?: string;
}

export interface LinkQuestion {
  readonly keys: readonly string[];
  readonly direction: 'BACKWARD' | 'FORWARD';
  /** Of the links of each node, of each kind that a component knows. */
  readonly limit: number;
  /** Links of each of these that are passed over, because they were told before. */
  readonly skip: number;
  /** Only what came about until then; null for no bound. */
  readonly asOf: string | null;
}

/** The ends of a link: nearer to what is asked about, and farther from it. */
export const endsOf = (
  { cause, effect }: CausalLink,
  direction: LinkQuestion['direction'],
): { readonly near: string; readonly far: string } =>
  direction === 'BACKWARD' ? { near: effect, far: cause } : { near: cause, far: effect };

/** Answers of a component that has followed links by itself. */
export interface FollowedLinks extends CausalLinks {
  /** The keys whose nodes and links these are: those asked, and more. */
  readonly answered: readonly string[];
}

export const NO_LINKS: CausalLinks = { nodes: [], links: [] };

/** What several parts know together. */
export const together = (parts: readonly CausalLinks[]): CausalLinks => ({
  nodes: parts.flatMap(({ nodes }) => nodes),
  links: parts.flatMap(({ links }) => links),
  also: parts.flatMap(({ also = [] }) => also),
  more: parts.flatMap(({ more = [] }) => more),
  ...keptSinceOf(parts),
});

const keptSinceOf = (parts: readonly CausalLinks[]): Pick<CausalLinks, 'keptSince'> => {
  const since = parts.flatMap(({ keptSince }) => keptSince ?? []).sort();
  const last = since.at(-1);
  return last === undefined ? {} : { keptSince: last };
};

/** The keys of which a statement has found as many as it was to find: there may be more. */
export function fullKeys<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  { limit }: Pick<LinkQuestion, 'limit'>,
): readonly string[] {
  if (rows.length < limit) return [];
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(keyOf(row), (counts.get(keyOf(row)) ?? 0) + 1);
  return [...counts].flatMap(([key, count]) => (count < limit ? [] : [key]));
}

/** Links from a subject to the farthest node. */
export const MAX_LEVELS = 50;
/** Keys that one question may name. */
export const MAX_KEYS = 1000;
/** Links of a node that are told, in each direction. */
export const MAX_LINKS = 1000;
