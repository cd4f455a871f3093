// Causal chains over all components (docs/reference/metadata.md#why).
import {
  type CausalLink,
  type CausalLinks,
  type CausalNode,
  idsOf,
  isNodeKey,
  type LinkQuestion,
  MAX_LEVELS,
  MAX_LINKS,
  nodeKey,
  together,
} from '../../platform/causal-links.ts';
import { badRequest } from '../../platform/errors.ts';
import type { Caller } from '../../platform/identity.ts';
import { checkPage, decodeCursor, encodeCursor, integerPart, textPart } from '../../platform/paging.ts';
import { allows } from '../../platform/permissions.ts';
import { readAsOf } from '../../platform/read-links.ts';
import { isUuid } from '../../platform/uuid.ts';
import type { AuditRecords } from '../edge/audit/audit-records.service.ts';
import { expiredLink } from './expired-links.ts';
import { type LinkSource, rememberLinks } from './remember-links.ts';
import { type FoundNode, walkLinks } from './walk-links.ts';

export interface WhyQuestion extends Pick<LinkQuestion, 'direction'> {
  readonly subject: string;
  readonly depth: number;
  readonly first: number;
  readonly after: string | null;
  readonly asOf: string | null;
}

export interface CausalChain {
  readonly nodes: readonly FoundNode[];
  readonly links: readonly CausalLink[];
  readonly nextCursor: string | null;
}

export interface WhyDeps {
  readonly sources: readonly LinkSource[];
  readonly audit: Pick<AuditRecords, 'ofRequests' | 'mayRead'>;
}

/** On all pages together: each page is found from the subject on. */
const MAX_NODES = 10_000;
const PLACE = [integerPart, textPart];

export class Why {
  readonly #deps: WhyDeps;

  constructor(deps: WhyDeps) {
    this.#deps = deps;
  }

  /**
   * A page of the chain; null where the caller does not see the subject.
   * @throws DomainError `invalid_request`
   */
  async chain(question: WhyQuestion, caller: Caller): Promise<CausalChain | null> {
    const found = await this.#page(question, caller);
    const isAlone = found !== null && isRequest(question.subject) && isUnrecorded(found);
    if (!isAlone || question.direction === 'FORWARD') return isAlone ? null : found;
    // nothing causes a request: what it did says that there was one
    const did = await this.#page(
      { ...question, direction: 'FORWARD', depth: 1, first: 1, after: null },
      caller,
    );
    return did === null || isUnrecorded(did) ? null : found;
  }

  async #page(
    { subject, direction, depth, first, after, asOf: until }: WhyQuestion,
    caller: Caller,
  ): Promise<CausalChain | null> {
    checkPage({ limit: first, offset: 0 }, () => badRequest('first must be an integer from 1 to 1000'));
    if (!Number.isInteger(depth) || depth < 1 || depth > MAX_LEVELS)
      throw badRequest(`depth must be an integer from 1 to ${MAX_LEVELS}`);
    const asOf = readAsOf(until);
    const place = decodeCursor(after, PLACE);
    const [told, last] = place === null ? [0, ''] : [Number(place[0]), String(place[1])];
    if (told < 0 || told + first > MAX_NODES)
      throw badRequest(
        `a chain has at most ${MAX_NODES} nodes: ask for fewer levels, or from a nearer subject`,
      );
    if (!isNodeKey(subject) || (isRequest(subject) && !this.#deps.audit.mayRead(caller))) return null;
    const enough = told + first + 1;
    const bounds = { direction, limit: MAX_LINKS, asOf };
    const sources = this.#deps.sources
      .filter(({ permission }) => allows(caller, permission))
      .map((source) => rememberLinks(source, bounds, caller));
    const { nodes, links } = await walkLinks(
      { subject, direction, depth, enough },
      {
        first: async (keys, levels) =>
          together(
            await Promise.all([
              this.#requests(keys, caller),
              ...sources.map((source) => source.first(keys, levels)),
            ]),
          ),
        next: async (keys, skip) =>
          together(await Promise.all(sources.map((source) => source.next(keys, skip)))),
        expired: (near, far) => expiredLink(near, far, direction, sources),
      },
    );
    if (nodes.length === 0) return null;
    // what has come about meanwhile may stand before the last node that was told
    const found = nodes.findIndex(({ key }) => key === last);
    const from = found < 0 ? told : found + 1;
    const page = nodes.slice(from, from + first);
    const end = page.at(-1);
    return {
      nodes: page,
      links: links.filter(({ place }) => place >= from && place < from + first),
      nextCursor:
        end === undefined || nodes.length <= from + first ? null : encodeCursor([from + first, end.key]),
    };
  }

  /** A request is shown to whoever sees what it did, and its audit record to administrators. */
  async #requests(keys: readonly string[], caller: Caller): Promise<CausalLinks> {
    const ids = idsOf(keys, 'request').filter(isUuid);
    if (ids.length === 0) return { nodes: [], links: [] };
    const records = await this.#deps.audit.ofRequests(ids, caller);
    const nodes = ids.map((id): CausalNode => {
      const record = records.get(id);
      const key = nodeKey('request', id);
      if (record === undefined) return { key, name: id, at: null, actor: null, details: { request_id: id } };
      const { timestamp, actor, method, path, status, ip, operation } = record;
      return {
        key,
        name: `${method} ${path}`,
        at: timestamp,
        actor,
        details: { request_id: id, method, path, status, ip, operation },
      };
    });
    return { nodes, links: [] };
  }
}

/** Of a page that has the subject alone, and no others follow: nothing is known of a request but its id. */
const isUnrecorded = ({ nodes: [subject, ...others], nextCursor }: CausalChain): boolean =>
  subject?.depth === 0 && subject.at === null && others.length === 0 && nextCursor === null;
const isRequest = (key: string): boolean => idsOf([key], 'request').length > 0;
