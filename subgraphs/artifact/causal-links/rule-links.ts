// Rules in causal chains: what registered them, and what their workflows consist of (docs/reference/metadata.md#why).
import {
  type CausalLink,
  type CausalLinks,
  type CausalNode,
  fullKeys,
  idsOf,
  type LinkQuestion,
  NO_LINKS,
  nodeKey,
  together,
} from '../../../platform/causal-links.ts';
import type { Caller } from '../../../platform/identity.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import { ruleReference } from '../rules/rule-reference.ts';
import { type RuleService, viewerOf } from '../rules/rules.service.ts';
import type { Rule, Viewer } from '../rules/rules.store.ts';
import type { Bounds } from './causal-links.store.ts';
import * as store from './rule-links.store.ts';

const ruleKey = ({ name, version }: Pick<Rule, 'name' | 'version'>): string =>
  nodeKey('rule', ruleReference(name, version));

function ruleNode(rule: Rule): CausalNode {
  const { name, version, registeredAt, registeredBy, cwlHash, workflowHash } = rule;
  const reference = ruleReference(name, version);
  const details = { rule: reference, cwl_hash: cwlHash, workflow_hash: workflowHash };
  return { key: ruleKey(rule), name: reference, at: registeredAt, actor: registeredBy, details };
}

const partOf = (hash: string, rule: Pick<Rule, 'name' | 'version'>): CausalLink => ({
  cause: nodeKey('document', hash),
  effect: ruleKey(rule),
  kind: 'DOCUMENT',
});
const registered = (cause: string, rule: Pick<Rule, 'name' | 'version'>): CausalLink => ({
  cause,
  effect: ruleKey(rule),
  kind: 'REGISTERED',
});

type Asked = LinkQuestion & Pick<Bounds, 'isKept'>;

export class RuleLinks {
  readonly #db: Queryable;
  readonly #rules: RuleService;
  readonly #viewer: Viewer;

  constructor(db: Queryable, rules: RuleService, caller: Caller) {
    this.#db = db;
    this.#rules = rules;
    this.#viewer = viewerOf(caller);
  }

  /** @param causes the nodes of the question that may have registered rules */
  async of(question: Asked, causes: readonly string[]): Promise<CausalLinks> {
    return together(
      await Promise.all([
        this.#ofRules(idsOf(question.keys, 'rule'), question),
        this.#ofDocuments(idsOf(question.keys, 'document'), question),
        question.direction === 'FORWARD' ? this.#registeredBy(causes, question) : NO_LINKS,
      ]),
    );
  }

  async #ofRules(references: readonly string[], { asOf, isKept, direction }: Asked): Promise<CausalLinks> {
    if (references.length === 0) return NO_LINKS;
    const at = isKept ? asOf : null;
    const found = await Promise.all(references.map((one) => this.#rules.version(one, at)));
    const rules = found.filter((rule) => rule !== null && (asOf === null || rule.registeredAt <= asOf));
    const seen = rules.flatMap((rule) => (rule === null ? [] : [rule]));
    return {
      nodes: seen.map(ruleNode),
      links: direction === 'BACKWARD' ? await this.#causesOf(seen) : [],
    };
  }

  async #causesOf(rules: readonly Rule[]): Promise<readonly CausalLink[]> {
    const workflows = rules.flatMap(({ workflowHash: hash }) => (hash === null ? [] : [hash]));
    const documents = workflows.length === 0 ? [] : await store.listDocuments(this.#db, workflows);
    return rules.flatMap((rule) => [
      ...(rule.causedBy === null ? [] : [registered(rule.causedBy, rule)]),
      ...documents
        .filter(({ workflow }) => workflow === rule.workflowHash)
        .map(({ hash }) => partOf(hash, rule)),
    ]);
  }

  async #ofDocuments(hashes: readonly string[], question: LinkQuestion): Promise<CausalLinks> {
    if (hashes.length === 0) return NO_LINKS;
    const found = await store.listRulesOfDocuments(this.#db, hashes, question, this.#viewer);
    const nodes = new Map(
      found.map(({ hash, at, characters }): [string, CausalNode] => {
        const key = nodeKey('document', hash);
        return [key, { key, name: hash, at, actor: null, details: { hash, characters } }];
      }),
    );
    return {
      nodes: [...nodes.values()],
      links: [],
      ...(question.direction === 'FORWARD' && {
        links: found.map((rule) => partOf(rule.hash, rule)),
        more: fullKeys(found, ({ hash }) => nodeKey('document', hash), question),
      }),
    };
  }

  async #registeredBy(causes: readonly string[], question: LinkQuestion): Promise<CausalLinks> {
    if (causes.length === 0) return NO_LINKS;
    const rules = await store.listRegistered(this.#db, causes, question, this.#viewer);
    return {
      nodes: [],
      links: rules.map((rule) => registered(rule.cause, rule)),
      more: fullKeys(rules, ({ cause }) => cause, question),
    };
  }
}
