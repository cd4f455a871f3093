// Finds the stored entities that identities mean, whoever made them, available or not
// (docs/reference/artifact.md#entity-identity).
import { asService } from '../as-service.ts';
import { type AskPlatform, question } from '../platform-port.ts';
import { textForm } from '../resolution/criteria.ts';
import { Entities, type StoredEntity } from '../resolution/entities.ts';
import { type EntityIdentity, isMeant } from './entity-identity.ts';

const ENTITY = 'query ArtifactMade($id: ID!) { entity(id: $id) { id entityType data version isAvailable } }';
const SUPERSEDED =
  'query ArtifactSuperseded($id: ID!) { relationships(entityId: $id, direction: OUT, relationshipType: "superseded_by", limit: 1) { id } }';
/** As many that have the same values are looked at for one that may be used. */
const MAX_CANDIDATES = 50;
/** As many questions are asked at a time. */
const AT_ONCE = 20;

/** The same for each, a few at a time. */
export async function forEach<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < items.length; at += AT_ONCE)
    results.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map(work))));
  return results;
}

export class MeantEntities {
  readonly #ask: AskPlatform;
  readonly #entities: Entities;
  readonly #stop: AbortSignal;

  constructor(ask: AskPlatform, stop: AbortSignal) {
    this.#ask = ask;
    this.#stop = stop;
    // whose it is has been looked at: the identity names the project
    this.#entities = new Entities(ask, asService(stop));
  }

  /** Null where there is none. */
  async byId(id: string): Promise<StoredEntity | null> {
    return question<StoredEntity | null>(this.#ask, ENTITY, 'entity', { id }, asService(this.#stop));
  }

  /**
   * Whether it still is what the identity means: it may have been changed, moved, or given up for another.
   */
  async isStill(entity: StoredEntity, identity: EntityIdentity, hasProject: boolean): Promise<boolean> {
    return (
      isMeant(identity, entity, hasProject) && (entity.isAvailable || !(await this.#isSuperseded(entity.id)))
    );
  }

  /**
   * The newest with these values, one that is available before others; null where there is none.
   * @param taken ids that stand for something else already
   */
  async byValues(
    identity: EntityIdentity,
    hasProject: boolean,
    taken: ReadonlySet<string>,
  ): Promise<StoredEntity | null> {
    const criteria = new Map(
      Object.entries(identity.values).flatMap(([name, value]) => {
        const text = textForm(value);
        return text === null ? [] : [[name, text]];
      }),
    );
    if (criteria.size === 0) return null;
    if (identity.project !== '') criteria.set('project', identity.project);
    const found = (await this.#entities.find(identity.entityType, criteria, MAX_CANDIDATES, true)).filter(
      (entity) => isMeant(identity, entity, hasProject) && !taken.has(entity.id),
    );
    const available = found.find((entity) => entity.isAvailable);
    if (available !== undefined) return available;
    for (const entity of found) if (!(await this.#isSuperseded(entity.id))) return entity;
    return null;
  }

  async #isSuperseded(id: string): Promise<boolean> {
    return (
      (
        (await question<readonly unknown[] | null>(
          this.#ask,
          SUPERSEDED,
          'relationships',
          { id },
          asService(this.#stop),
        )) ?? []
      ).length > 0
    );
  }
}
