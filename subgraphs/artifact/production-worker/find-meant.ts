// Finds the stored entities of identities, whoever made them, available or not
// (docs/reference/artifact.md#entity-identity).
import { asService } from '../as-service.ts';
import { type AskPlatform, question } from '../platform-port.ts';
import { textForm } from '../planning/criteria.ts';
import { Entities, type StoredEntity } from '../planning/entities.ts';
import { type EntityIdentity, isMeant } from './entity-identity.ts';

const ENTITY = 'query ArtifactMade($id: ID!) { entity(id: $id) { id entityType data version isAvailable } }';
const SUPERSEDED =
  'query ArtifactSuperseded($id: ID!) { relationships(entityId: $id, direction: OUT, relationshipType: "superseded_by", limit: 1) { id } }';
/** Maximum entities with the same values that are examined. */
const MAX_CANDIDATES = 50;
export class MeantEntities {
  readonly #ask: AskPlatform;
  readonly #entities: Entities;
  readonly #stop: AbortSignal;

  constructor(ask: AskPlatform, stop: AbortSignal) {
    this.#ask = ask;
    this.#stop = stop;
    // the project has been checked: the identity names it
    this.#entities = new Entities(ask, asService(stop));
  }

  /** Null if there is none. */
  async byId(id: string): Promise<StoredEntity | null> {
    return question<StoredEntity | null>(this.#ask, ENTITY, 'entity', { id }, asService(this.#stop));
  }

  /** Whether it still has the identity: it may have been changed, moved, or superseded. */
  async isStill(entity: StoredEntity, identity: EntityIdentity, hasProject: boolean): Promise<boolean> {
    return (
      isMeant(identity, entity, hasProject) && (entity.isAvailable || !(await this.#isSuperseded(entity.id)))
    );
  }

  /**
   * The newest entity with these values, available ones first; null if there is none.
   * @param taken ids that belong to other outputs already
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
