// Writes a production's results: the database decides which entity each identity is, and unavailable ones
// become available again (docs/reference/artifact.md#entity-identity).
import type { Transact } from '../../../platform/database/transaction.ts';
import { randomUUID } from 'node:crypto';
import { inGroups } from '../../../platform/in-groups.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import { setAvailability } from '../as-service.ts';
import type { AskPlatform } from '../platform-port.ts';
import type { EntitySchema } from '../registration/entity-schema.ts';
import type { StoredEntity } from '../planning/entities.ts';
import { letInAgain } from '../reuse/reuse.store.ts';
import { projectIn } from '../storage/given-in.ts';
import { withLockRetry } from '../storage/with-lock-retry.ts';
import {
  findEntityFiles,
  forgetOtherOutputs,
  type FoundFile,
  replaceEntityFiles,
} from '../storage/stored-objects.store.ts';
import { type EntityIdentity, identityOf } from './entity-identity.ts';
import { MeantEntities } from './find-meant.ts';
import { claimIdentities, settleIdentities } from './identities.store.ts';
import type { IdentifiedEntity } from './produced-entities.ts';
import { ProductionFailed } from './production-failed.ts';
import { Outdated, writeEntities } from './write-entities.ts';

export interface WriteDeps {
  readonly db: Queryable;
  readonly transact: Transact;
  readonly ask: AskPlatform;
}

export interface MadeResult {
  readonly production: string;
  /** The requested entity first. */
  readonly entities: readonly IdentifiedEntity[];
  readonly schemas: ReadonlyMap<string, EntitySchema>;
  /** The provenance of each of them, with their final ids. */
  readonly context: (entities: readonly IdentifiedEntity[]) => unknown;
  readonly stop: AbortSignal;
  /** @throws if the lease is lost, or the production was cancelled */
  readonly stillOurs: () => Promise<void>;
}

/**
 * The reason of the event that makes an entity available again (docs/reference/artifact.md#entity-identity).
 */
const PRODUCED_AGAIN = 'produced again';
/** Attempts to write, if an entity is changed between reading and writing it. */
const MAX_ATTEMPTS = 5;
/** Entities that are looked for at once. */
const AT_ONCE = 20;

/** An entity, its identity, and the existing entity. */
interface Placed {
  readonly entity: IdentifiedEntity;
  readonly identity: EntityIdentity | null;
  readonly stored: StoredEntity | null;
}

const keyOf = ({
  entityType,
  project,
  digest,
}: Pick<EntityIdentity, 'entityType' | 'project' | 'digest'>): string =>
  JSON.stringify([entityType, project, digest]);

/** Fields that the workflow outputs, but without a value this time, are removed. */
function dataFor({ entity, stored }: Placed): IdentifiedEntity {
  const gone = entity.fields.filter(
    (name) => !Object.hasOwn(entity.data, name) && stored !== null && (stored.data[name] ?? null) !== null,
  );
  return { ...entity, data: { ...entity.data, ...Object.fromEntries(gone.map((name) => [name, null])) } };
}

export class ProducedWriter {
  readonly #deps: WriteDeps;
  #writing: Promise<unknown> = Promise.resolve();

  constructor(deps: WriteDeps) {
    this.#deps = deps;
  }

  /**
   * All of them or none.
   * @returns them under their ids
   * @throws ProductionFailed if metadata refuses one
   */
  async write(made: MadeResult): Promise<readonly IdentifiedEntity[]> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#inTurn(() =>
          withLockRetry(this.#deps.transact, (db) => this.#writeHeld(db, made)),
        );
      } catch (fault) {
        if (!(fault instanceof Outdated)) throw fault;
        if (tries === MAX_ATTEMPTS)
          throw new ProductionFailed(
            'conflict',
            `other writers keep changing the entities to be written: ${fault.message}`,
            {},
            { cause: fault },
          );
      }
    }
  }

  /** One after the other in a process: each occupies a connection, and needs further ones meanwhile. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#writing.then(work);
    this.#writing = turn.catch(() => undefined); // the caller handles it
    return turn;
  }

  /**
   * The identities are locked until the transaction ends: another production that waits for one finds what
   * was written.
   */
  async #writeHeld(db: Queryable, made: MadeResult): Promise<readonly IdentifiedEntity[]> {
    const placed = await this.#placed(db, made);
    await made.stillOurs();
    const entities = placed.map(dataFor);
    const stored = new Map(
      placed.flatMap(({ stored: one }) => (one === null ? [] : [[one.id, one] as const])),
    );
    const context = made.context(entities);
    const before = await this.#noteFiles(made.production, entities, stored);
    const changed = await writeEntities(
      this.#deps.ask,
      entities.map((entity) => ({ ...entity, ifVersion: stored.get(entity.id)?.version ?? null })),
      context,
      made.production,
      made.stop,
    ).catch(async (fault: unknown) => {
      if (fault instanceof ProductionFailed || fault instanceof Outdated)
        await replaceEntityFiles(
          this.#deps.db,
          entities.map(({ id }) => id),
          before,
        ); // refused: the former files are restored
      throw fault;
    });
    await this.#revive(
      [...stored.values()].filter(({ isAvailable }) => !isAvailable),
      context,
      made.production,
    );
    await letInAgain(
      db,
      [...stored.keys()].filter((id) => changed.has(id) || id === entities[0]?.id),
    );
    return entities;
  }

  /** The entity of each output: the existing one of its identity, or a new one. */
  async #placed(
    db: Queryable,
    { production, entities, schemas, stop }: MadeResult,
  ): Promise<readonly Placed[]> {
    const meant = new MeantEntities(this.#deps.ask, stop);
    const hasProject = (type: string): boolean => schemas.get(type)?.fields.has('project') === true;
    const known = entities.map((entity) => ({
      entity,
      identity: identityOf(entity.item, entity.data, hasProject(entity.item.entity_type)),
    }));
    const wanted = known.flatMap(({ entity, identity }) =>
      identity === null ? [] : [{ ...identity, entityId: entity.id }],
    );
    const claimed = new Map((await claimIdentities(db, wanted, production)).map((one) => [keyOf(one), one]));
    const first = await inGroups(known, AT_ONCE, async ({ entity, identity }) => {
      const claim = identity === null ? undefined : claimed.get(keyOf(identity));
      const found =
        identity === null || claim === undefined || claim.isNew ? null : await meant.byId(claim.entityId);
      const isStill =
        identity !== null &&
        found !== null &&
        (await meant.isStill(found, identity, hasProject(identity.entityType)));
      return {
        entity,
        identity,
        stored: isStill ? found : null,
        isFree: claim !== undefined && !claim.isNew && found === null ? claim.entityId : null,
      };
    });
    const taken = new Set(first.flatMap(({ stored }) => stored?.id ?? []));
    const placed: Placed[] = [];
    for (const { entity, identity, stored, isFree } of first) {
      const found =
        stored ??
        (identity === null ? null : await meant.byValues(identity, hasProject(identity.entityType), taken));
      if (found !== null && placed.some((other) => other.entity.id === found.id))
        throw new ProductionFailed(
          'ingestion_error',
          `two produced entities are the same ${entity.item.entity_type}: ${found.id}`,
          { entity_id: found.id },
        );
      const id =
        found?.id ??
        isFree ??
        (identity !== null && (await meant.byId(entity.id)) !== null ? randomUUID() : entity.id);
      taken.add(id);
      placed.push({ entity: { ...entity, id }, identity, stored: found });
    }
    await settleIdentities(
      db,
      placed.flatMap(({ entity, identity }) =>
        identity === null ? [] : [{ ...identity, entityId: entity.id }],
      ),
      production,
    );
    return placed;
  }

  /**
   * Files are recorded before the entities are written, so that no entity is ever without its files.
   * @returns the files that were recorded before
   */
  async #noteFiles(
    production: string,
    entities: readonly IdentifiedEntity[],
    stored: ReadonlyMap<string, StoredEntity>,
  ): Promise<readonly FoundFile[]> {
    const { db } = this.#deps;
    const ids = entities.map(({ id }) => id);
    const before = await findEntityFiles(db, ids);
    const files = entities.flatMap(({ id, item, data, files: own }) =>
      own.map(({ field, hash, name }) => ({
        entityId: id,
        entityType: item.entity_type,
        field,
        hash,
        name,
        productionId: production,
        source: null,
        givenIn: projectIn({ ...stored.get(id)?.data, ...data }),
      })),
    );
    const fetched = before.filter(
      ({ source, entityId, field }) =>
        source !== null &&
        !entities.some(({ id, fields }) => id === entityId && fields.includes(field.split('/')[0] ?? field)),
    );
    await replaceEntityFiles(db, ids, [...files, ...fetched]);
    await forgetOtherOutputs(db, production, ids, files);
    return before;
  }

  /** Makes entities available again whose files were evicted or lost. */
  async #revive(gone: readonly StoredEntity[], context: unknown, production: string): Promise<void> {
    for (const type of new Set(gone.map(({ entityType }) => entityType))) {
      await setAvailability(
        this.#deps.ask,
        type,
        gone.filter((one) => one.entityType === type).map(({ id }) => id),
        true,
        PRODUCED_AGAIN,
        context,
        production,
      );
    }
  }
}
