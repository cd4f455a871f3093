// GA4GH Data Repository Service: entities that describe files, as DRS objects
// (docs/reference/metadata.md#drs).
import type { Identity } from '../../../platform/identity.ts';
import type { Moment } from '../reading/timeline.ts';
import { EntityRecord, type EntityRow } from '../reading/entity-record.ts';
import type { EntityData } from '../schema-model/entity-type.ts';
import { type Checksum, readChecksum, shapesHolding } from './checksums.ts';
import { type FileDescription, fileOf } from './drs-object.ts';

export const DRS_VERSION = '1.5.0';

export interface DrsDeps {
  readonly entity: (id: string, identity: Identity, at: Moment) => Promise<EntityRow | null>;
  /** Active external ids of an entity, as texts. */
  readonly externalIds: (entityId: string, at: Moment) => Promise<readonly string[]>;
  readonly idsHolding: (
    shapes: readonly EntityData[],
    limit: number,
    identity: Identity,
    at: Moment,
  ) => Promise<string[]>;
}

export interface DrsObject extends FileDescription {
  readonly id: string;
  readonly selfUri: string;
  readonly createdTime: string;
  readonly updatedTime: string;
  readonly version: string;
  readonly aliases: readonly string[];
}

/** Maximum number of entities that a checksum look-up considers: several may describe one file. */
const CANDIDATES = 20;

export class DrsService {
  readonly #deps: DrsDeps;
  constructor(deps: DrsDeps) {
    this.#deps = deps;
  }

  /** Looks up by entity id, then by checksum; null if the caller can see no available file under it. */
  async object(id: string, host: string, identity: Identity, at: Moment = null): Promise<DrsObject | null> {
    return (await this.#byId(id, host, identity, at)) ?? (await this.#byChecksum(id, host, identity, at));
  }

  async #byId(id: string, host: string, identity: Identity, at: Moment): Promise<DrsObject | null> {
    const row = await this.#deps.entity(id, identity, at);
    if (row === null) return null;
    const record = new EntityRecord(row);
    const file = record.isAvailable ? fileOf(record.data) : null;
    if (file === null) return null;
    return {
      ...file,
      id: record.id,
      selfUri: `drs://${host}/${encodeURIComponent(record.id)}`,
      version: String(record.version),
      createdTime: record.createdAt,
      updatedTime: record.updatedAt,
      aliases: await this.#deps.externalIds(record.id, at),
    };
  }

  async #byChecksum(id: string, host: string, identity: Identity, at: Moment): Promise<DrsObject | null> {
    const sought = readChecksum(id);
    if (!sought) return null;
    for (const found of await this.#deps.idsHolding(shapesHolding(sought), CANDIDATES, identity, at)) {
      const object = await this.#byId(found, host, identity, at);
      if (object?.checksums.some((c) => isSame(c, sought))) return object;
    }
    return null;
  }
}

/** hexadecimal digits are case-insensitive */
const isSame = (a: Checksum, b: Checksum): boolean =>
  a.type === b.type && a.checksum.toLowerCase() === b.checksum.toLowerCase();

/** The slice of the resolvers' context. */
export interface DrsSlice {
  readonly drs: DrsService;
}
