// GA4GH Data Repository Service: entities that describe files, as DRS objects
// (docs/reference/metadata.md#drs).
import { DomainError } from '../../../platform/errors.ts';
import type { Identity } from '../../../platform/identity.ts';
import type { Moment } from '../reading/timeline.ts';
import { EntityRecord, type EntityRow } from '../reading/entity-record.ts';
import type { EntityData } from '../schema-model/entity-type.ts';
import { type Checksum, readChecksum, shapesHolding } from './checksums.ts';
import { type FileDescription, fileOf } from './drs-object.ts';

export const DRS_VERSION = '1.5.0';

export interface DrsDeps {
  readonly publicUrl: (() => string) | null;
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

export interface DrsObjects {
  readonly requested: number;
  readonly resolved: readonly DrsObject[];
  readonly unresolved: readonly string[];
}

export interface DrsAccessRequest {
  readonly id: string;
  readonly accessIds: readonly string[];
}

interface DrsObjectAccess {
  readonly objectId: string;
  readonly accessId: string;
  readonly url: string;
}

export interface DrsAccesses {
  /** Access ids. */
  readonly requested: number;
  readonly resolved: readonly DrsObjectAccess[];
  /** Objects of which some were not found. */
  readonly unresolved: readonly string[];
}

/** Maximum number of entities that a checksum look-up considers: several may describe one file. */
const CANDIDATES = 20;
/** `maxBulkRequestLength` of the service info. */
const MAX_BULK = 100;

/** @throws DomainError `payload_too_large` */
export function assertBulk(asked: number): void {
  if (asked > MAX_BULK)
    throw new DomainError('payload_too_large', `at most ${MAX_BULK} objects can be asked for at once`, {
      limit: MAX_BULK,
    });
}

export class DrsService {
  readonly #deps: DrsDeps;
  constructor(deps: DrsDeps) {
    this.#deps = deps;
  }

  /** Looks up by entity id, then by checksum; null if the caller can see no available file under it. */
  async object(id: string, host: string, identity: Identity, at: Moment): Promise<DrsObject | null> {
    return (await this.#byId(id, host, identity, at)) ?? (await this.#byChecksum(id, host, identity, at));
  }

  /** Several. @throws DomainError `payload_too_large` for more than a hundred */
  async objects(ids: readonly string[], host: string, identity: Identity, at: Moment): Promise<DrsObjects> {
    assertBulk(ids.length);
    const [resolved, unresolved]: [DrsObject[], string[]] = [[], []];
    // one by one: many searches by checksum at once would keep others waiting
    for (const id of ids) {
      const object = await this.object(id, host, identity, at);
      if (object === null) unresolved.push(id);
      else resolved.push(object);
    }
    return { requested: ids.length, resolved, unresolved };
  }

  /** The address of a stored file of an object; null if there is none that the caller can see. */
  async access(
    id: string,
    accessId: string,
    identity: Identity,
    at: Moment,
  ): Promise<{ readonly url: string } | null> {
    const object = await this.object(id, '', identity, at);
    return object?.accessMethods?.find((method) => method.accessId === accessId)?.accessUrl ?? null;
  }

  /**
   * The addresses of stored files of several objects.
   * @throws DomainError `payload_too_large` for more than a hundred access ids
   */
  async accesses(
    requests: readonly DrsAccessRequest[],
    identity: Identity,
    at: Moment,
  ): Promise<DrsAccesses> {
    const requested = requests.reduce((sum, { accessIds }) => sum + accessIds.length, 0);
    assertBulk(Math.max(requested, requests.length));
    const resolved: DrsObjectAccess[] = [];
    const unresolved = new Set<string>();
    for (const { id, accessIds } of requests) {
      const object = await this.object(id, '', identity, at); // as several objects are
      for (const accessId of accessIds) {
        const url = object?.accessMethods?.find((method) => method.accessId === accessId)?.accessUrl?.url;
        if (url === undefined) unresolved.add(id);
        else resolved.push({ objectId: id, accessId, url });
      }
    }
    return { requested, resolved, unresolved: [...unresolved] };
  }

  async #byId(id: string, host: string, identity: Identity, at: Moment): Promise<DrsObject | null> {
    const row = await this.#deps.entity(id, identity, at);
    if (row === null) return null;
    const record = new EntityRecord(row);
    const file = record.isAvailable ? fileOf(record.data, this.#deps.publicUrl?.() ?? null) : null;
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
