// The artifact component's part of causal chains: productions, plans, rules and files (docs/reference/metadata.md#why).
import {
  type CausalLink,
  type CausalLinks,
  type CausalNode,
  type EntityVersion,
  fullKeys,
  idsOf,
  nodeKey,
  type LinkKind,
  type LinkQuestion,
  NO_LINKS,
  together,
  versionKey,
  versionsIn,
} from '../../../platform/causal-links.ts';
import type { Caller } from '../../../platform/identity.ts';
import type { Past } from '../../../platform/past/past.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import { isUuid } from '../../../platform/uuid.ts';
import type { FileService } from '../files/files.service.ts';
import type { RuleService } from '../rules/rules.service.ts';
import * as store from './causal-links.store.ts';
import * as plans from './plan-links.store.ts';
import { RuleLinks } from './rule-links.ts';

const KIND_OF: Readonly<Record<store.CauseRole, LinkKind>> = { asked: 'ASKED', rule: 'RULE', input: 'INPUT' };

const linkOf = ({ cause, productionId, role }: store.ProductionLink): CausalLink => ({
  cause,
  effect: nodeKey('production', productionId),
  kind: KIND_OF[role],
});

const stored = (cause: string, hash: string): CausalLink => ({
  cause,
  effect: nodeKey('file', hash),
  kind: 'STORED',
});

const planned = ({ id, planHash }: store.CausedProduction): readonly CausalLink[] =>
  planHash === null
    ? []
    : [{ cause: nodeKey('plan', planHash), effect: nodeKey('production', id), kind: 'PLANNED' }];

function productionNode(production: store.CausedProduction): CausalNode {
  const { id, at, actor, entityType, rule, runner, requestId, planHash } = production;
  return {
    key: nodeKey('production', id),
    name: rule ?? entityType,
    at,
    actor,
    details: {
      production_id: id,
      entity_type: entityType,
      rule,
      runner,
      request_id: requestId,
      plan_hash: planHash,
    },
  };
}

/** The first production that followed it says when it was known at the latest. */
const planNode = (hash: string, { at, entityType }: store.CausedProduction): CausalNode => ({
  key: nodeKey('plan', hash),
  name: entityType,
  at,
  actor: null,
  details: { plan_hash: hash, entity_type: entityType },
});

const fileNode = ({ hash, at, size, mediaType }: store.CausedFile): CausalNode => ({
  key: nodeKey('file', hash),
  name: hash,
  at,
  actor: null,
  details: { hash, size, media_type: mediaType },
});

const originOf = ({ productionId, id, version, hash }: store.FileOrigin): CausalLink =>
  stored(
    productionId === null ? versionKey({ id, version: version ?? 1 }) : nodeKey('production', productionId),
    hash,
  );

const resolved = ({ requestId, planHash }: plans.ResolvedPlan): CausalLink => ({
  cause: nodeKey('request', requestId),
  effect: nodeKey('plan', planHash),
  kind: 'RESOLVED',
});

const isAsker = (key: string): boolean => /^(?:request|run|production):/.test(key);
const isCause = (key: string): boolean => isAsker(key) || /^(?:rule|version|file):/.test(key);

export interface CausalLinkDeps {
  readonly db: Queryable;
  readonly rules: RuleService;
  readonly files: FileService;
  readonly past: Past;
}

type Asked = LinkQuestion & store.Bounds;

export class CausalLinkService {
  readonly #deps: CausalLinkDeps;
  readonly #caller: Caller;

  constructor(deps: CausalLinkDeps, caller: Caller) {
    this.#deps = deps;
    this.#caller = caller;
  }

  /**
   * As of an instant: what there was then, as it was, to whoever saw it then. Where past states are not kept so long, by
   * whoever sees it now, and without what changes.
   */
  async of(asked: LinkQuestion): Promise<CausalLinks> {
    const { keys, direction, asOf } = asked;
    const isKept = asOf !== null && (await this.#deps.past.instantIfKept(asOf)) !== null;
    const question: Asked = { ...asked, isKept };
    const isForward = direction === 'FORWARD';
    return together(
      await Promise.all([
        this.#productions(idsOf(keys, 'production'), question),
        this.#plans(idsOf(keys, 'plan'), question),
        new RuleLinks(this.#deps.db, this.#deps.rules, this.#caller).of(question, keys.filter(isAsker)),
        this.#files(idsOf(keys, 'file'), question),
        isForward ? this.#askedBy(keys.filter(isCause), question) : NO_LINKS,
        isForward ? this.#resolvedBy(idsOf(keys, 'request').filter(isUuid), question) : NO_LINKS,
        isForward ? this.#attachedTo(versionsIn(keys), question) : NO_LINKS,
      ]),
    );
  }

  async #productions(ids: readonly string[], question: Asked): Promise<CausalLinks> {
    if (ids.length === 0) return NO_LINKS;
    const { db } = this.#deps;
    const found = await store.listCausedProductions(db, ids, question, this.#caller);
    const seen = found.map(({ id }) => id);
    const nodes = found.map(productionNode);
    const keyOf = ({ productionId }: { readonly productionId: string }): string =>
      nodeKey('production', productionId);
    if (question.direction === 'BACKWARD') {
      const causes = await store.listCauses(db, seen, question);
      const links = [...found.flatMap(planned), ...causes.map(linkOf)];
      return { nodes, links, more: fullKeys(causes, keyOf, question) };
    }
    const made = await store.listMadeFiles(db, seen, question);
    return {
      nodes,
      links: made.map((file) => stored(keyOf(file), file.hash)),
      more: fullKeys(made, keyOf, question),
    };
  }

  async #plans(hashes: readonly string[], question: Asked): Promise<CausalLinks> {
    if (hashes.length === 0) return NO_LINKS;
    const isBackward = question.direction === 'BACKWARD';
    // backward the plan alone is told, by the first production that follows it
    const asked = isBackward ? { ...question, limit: 1, skip: 0 } : question;
    const found = await store.listPlanned(this.#deps.db, hashes, asked, this.#caller);
    const first = new Map<string, CausalNode>();
    for (const production of found) {
      const { planHash: hash } = production;
      if (!first.has(hash)) first.set(hash, planNode(hash, production));
    }
    if (isBackward) {
      const told = await plans.listResolvesOf(this.#deps.db, hashes, question, this.#caller);
      const keyOf = ({ planHash }: plans.ResolvedPlan): string => nodeKey('plan', planHash);
      return {
        nodes: [...first.values()],
        links: told.map(resolved),
        more: fullKeys(told, keyOf, question),
      };
    }
    return {
      nodes: [...first.values()],
      links: found.flatMap(planned),
      more: fullKeys(found, ({ planHash }) => nodeKey('plan', planHash), question),
    };
  }

  async #files(hashes: readonly string[], question: Asked): Promise<CausalLinks> {
    if (hashes.length === 0) return NO_LINKS;
    const { db, files } = this.#deps;
    const found = await store.listFiles(db, hashes, question, this.#caller);
    const seen: store.CausedFile[] = [];
    for (const file of found) if (file.isSeen || (await files.get(file.hash)) !== null) seen.push(file);
    const origins =
      question.direction === 'BACKWARD'
        ? await store.listOrigins(
            db,
            seen.map(({ hash }) => hash),
            question,
          )
        : [];
    return {
      nodes: seen.map(fileNode),
      links: origins.map(originOf),
      more: fullKeys(origins, ({ hash }) => nodeKey('file', hash), question),
    };
  }

  /** Productions that these nodes asked for, or that were made with them. */
  async #askedBy(keys: readonly string[], question: Asked): Promise<CausalLinks> {
    if (keys.length === 0) return NO_LINKS;
    const links = await store.listProductionsFor(this.#deps.db, keys, question, this.#caller);
    return { nodes: [], links: links.map(linkOf), more: fullKeys(links, ({ cause }) => cause, question) };
  }

  /** Plans that these requests told of. */
  async #resolvedBy(requests: readonly string[], question: Asked): Promise<CausalLinks> {
    if (requests.length === 0) return NO_LINKS;
    const found = await plans.listResolvedBy(this.#deps.db, requests, question, this.#caller);
    const keyOf = ({ requestId }: plans.ResolvedPlan): string => nodeKey('request', requestId);
    return { nodes: [], links: found.map(resolved), more: fullKeys(found, keyOf, question) };
  }

  async #attachedTo(versions: readonly EntityVersion[], question: Asked): Promise<CausalLinks> {
    if (versions.length === 0) return NO_LINKS;
    const files = await store.listAttachedFiles(this.#deps.db, versions, question);
    return {
      nodes: [],
      links: files.map(({ hash, ...version }) => stored(versionKey(version), hash)),
      more: fullKeys(files, versionKey, question),
    };
  }
}

/** The slice of the resolvers' context. */
export interface CausalLinkSlice {
  readonly causalLinks: CausalLinkService;
}
