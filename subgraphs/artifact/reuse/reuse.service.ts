// Decides which stored entities may be reused: not those that were excluded, nor those made with other
// parameters.
import { canonicalJson } from '../../../platform/canonical-json.ts';
import { coalesce } from '../../../platform/coalesce.ts';
import { invalid, notFound } from '../../../platform/errors.ts';
import type { Caller } from '../../../platform/identity.ts';
import { type Batched, keyedLoader } from '../../../platform/keyed-loader.ts';
import { Past } from '../../../platform/past/past.ts';
import { hasNoNul, type Queryable } from '../../../platform/queryable.ts';
import { type AskPlatform, question } from '../platform-port.ts';
import { allowReuse, findParameters, findRefusals, type Refusal, refuseReuse } from './reuse.store.ts';

const EXISTS = 'query ArtifactEntity($id: ID!) { entity(id: $id) { id } }';

/** What a request gives to the inputs of a workflow, by their names. */
export type Parameters = Readonly<Record<string, unknown>>;

/** The exclusions of these entities. */
export type ReadRefusals = (ids: readonly string[]) => Promise<readonly Refusal[]>;

/** Those of an instant. */
export const refusalsAt =
  (db: Queryable, asOf: string): ReadRefusals =>
  (ids) =>
    findRefusals(db, ids, asOf);

/** Batches concurrent reads, because every plan that reuses something needs them. */
export const refusalReader = (db: Queryable): ReadRefusals =>
  coalesce<readonly string[], readonly Refusal[]>(
    async (asked) => {
      const found = new Map(
        (await findRefusals(db, [...new Set(asked.flat())], null)).map((refusal) => [
          refusal.entityId,
          refusal,
        ]),
      );
      return asked.map((ids) => ids.flatMap((id) => found.get(id) ?? []));
    },
    { max: 100, inFlight: 2 },
  );

/** A rule's policy for reuse, and the parameters that it takes. */
export interface ReusingRule {
  readonly name: string;
  readonly definition: { readonly reuse?: 'any' | 'produced' | null };
  readonly workflow: { readonly inputs: readonly { readonly name: string }[] } | null;
}

/**
 * Why each of the entities cannot be used, by its id; usable ones are absent. Only parameters that a rule
 * takes are compared, and only with those of a production: an entity created by hand has none, and is refused
 * only if the rule requires a produced one (docs/reference/artifact.md#reuse-rules).
 * @param rules those that would make it
 */
export async function refusalsOf(
  db: Queryable,
  read: ReadRefusals,
  ids: readonly string[],
  parameters: Parameters,
  rules: readonly ReusingRule[],
  asOf: string | null,
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const refused = new Map(
    (await read(ids)).map(({ entityId, reason, actor }): [string, string] => [
      entityId,
      `is excluded from reuse (${actor}: ${reason})`,
    ]),
  );
  const wanted = Object.entries(parameters).filter(([name]) =>
    rules.some(({ workflow }) => workflow?.inputs.some((input) => input.name === name) === true),
  );
  const strict = rules.find(({ definition }) => definition.reuse === 'produced');
  if (wanted.length === 0 && strict === undefined) return refused;
  const made = await findParameters(db, ids, asOf);
  for (const id of ids) {
    if (refused.has(id)) continue;
    const own = made.get(id);
    if (own === undefined && strict !== undefined)
      refused.set(id, `was not made by a production, and ${strict.name} reuses only produced entities`);
    const other =
      own &&
      wanted.find(
        ([name, value]) =>
          canonicalJson(Object.hasOwn(own, name) ? own[name] : null) !== canonicalJson(value),
      );
    if (other)
      refused.set(
        id,
        `was made with ${other[0]} = ${JSON.stringify(own[other[0]] ?? null)}, not ${JSON.stringify(other[1])}`,
      );
  }
  return refused;
}

/** Excluding results, for one caller. */
export class ReuseService {
  readonly #db: Queryable;
  readonly #ask: AskPlatform;
  readonly #caller: Caller;
  readonly #past: Past;
  readonly #refusals: Batched<string | null, Refusal | null>;

  constructor(db: Queryable, ask: AskPlatform, caller: Caller) {
    this.#db = db;
    this.#ask = ask;
    this.#caller = caller;
    this.#past = new Past(db, 'artifact', caller);
    this.#refusals = keyedLoader<string | null, Refusal | null>(
      async (ids, asOf) =>
        new Map((await findRefusals(db, ids, asOf)).map((refusal) => [refusal.entityId, refusal])),
      null,
    );
  }

  /** Why the entity is excluded from reuse; null if it is not. */
  async refusal(entityId: string): Promise<Refusal | null> {
    return this.#refusals(entityId, await this.#past.instant(null));
  }

  /**
   * Excludes a result, or lifts its exclusion. The entity itself is unchanged.
   * @throws DomainError `not_found`, `validation_failed`
   */
  async set(entityId: string, isReusable: boolean, reason: string | null): Promise<Refusal | null> {
    const found =
      hasNoNul(entityId) &&
      (await question<{ id: string } | null>(this.#ask, EXISTS, 'entity', { id: entityId }, this.#caller));
    if (!found) throw notFound('entity', entityId);
    if (isReusable) await allowReuse(this.#db, entityId);
    else {
      if (reason === null || reason.trim() === '' || !hasNoNul(reason))
        throw invalid('reason must say why the entity is excluded from reuse');
      await refuseReuse(this.#db, entityId, reason, this.#caller.actor);
    }
    return (await findRefusals(this.#db, [entityId], null))[0] ?? null;
  }
}
