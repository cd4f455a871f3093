// The sync event log, and consistency scans, of which one runs at a time in the whole deployment
// (docs/reference/gateway.md#sync-events).
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { badRequest, DomainError, notFound } from '../../platform/errors.ts';
import type { Caller } from '../../platform/identity.ts';
import {
  checkPage,
  decodeCursor,
  instantPart,
  offsetOf,
  type Page,
  pageOf,
  textPart,
} from '../../platform/paging.ts';
import { hasNoNul } from '../../platform/queryable.ts';
import { assertVisible } from '../../platform/visible-text.ts';
import { scan, type ScanDeps } from './scan.ts';
import type { EventStatus, ScanRight, SyncStore } from './sync.store.ts';
import type { ConsistencyScan, SyncEvent } from './sync-event.ts';
import { isOneOf } from '../../platform/is-one-of.ts';

export interface EventQuery {
  readonly status: string;
  readonly limit: number;
  readonly offset: number;
  readonly cursor?: string | null | undefined;
}

export interface Sync {
  /** @throws DomainError `invalid_request` */
  events(query: EventQuery): Promise<Page<SyncEvent> & { readonly total: number }>;
  /** @throws DomainError `not_found` */
  event(id: string): Promise<SyncEvent>;
  /** @throws DomainError `not_found`, `conflict` if it is already resolved */
  resolve(id: string, note: string | undefined, caller: Caller): Promise<SyncEvent>;
  /** Starts a scan in the background, or returns the running one. */
  startScan(): Promise<ConsistencyScan>;
  /** @throws DomainError `not_found` before any scan */
  latestScan(): Promise<ConsistencyScan>;
  /** Stops a scan of this process and waits until its end is recorded. */
  close(): Promise<void>;
}

export interface SyncOptions {
  readonly store: SyncStore;
  readonly deps: ScanDeps;
  readonly log: Logger;
  /** Called once per new event, with its type. */
  readonly onMismatch?: (type: string) => void;
}

const STATUSES: readonly EventStatus[] = ['unresolved', 'resolved', 'all'];
const isStatus = (status: string): status is EventStatus => isOneOf(STATUSES, status);
const MAX_EVENTS = 500;
/**
 * There is a short time between a scan's lock and its row, and between its last row and the release of the
 * lock: how often and how long to wait for it.
 */
const TRIES = 40;
const PAUSE = 50;

class SyncService implements Sync {
  readonly #options: SyncOptions;
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;

  constructor(options: SyncOptions) {
    this.#options = options;
  }

  async events({
    status,
    limit,
    offset,
    cursor,
  }: EventQuery): Promise<Page<SyncEvent> & { readonly total: number }> {
    if (!isStatus(status)) throw badRequest(`status must be one of ${STATUSES.join(', ')}`);
    if (limit < 1 || limit > MAX_EVENTS) throw badRequest(`limit must be an integer from 1 to ${MAX_EVENTS}`);
    checkPage({ limit, offset });
    const [createdAt, id] = decodeCursor(cursor, [instantPart, textPart]) ?? [];
    const after =
      createdAt === undefined || id === undefined ? null : { createdAt: String(createdAt), id: String(id) };
    const { store } = this.#options;
    const [rows, total] = await Promise.all([
      store.listEvents({ status, after, limit: limit + 1, offset: offsetOf({ offset }, after) }),
      store.countEvents(status),
    ]);
    return { ...pageOf(rows, limit, (event) => [event.createdAt, event.id]), total };
  }

  async event(id: string): Promise<SyncEvent> {
    const event = hasNoNul(id) ? await this.#options.store.findEvent(id) : undefined;
    if (event === undefined) throw notFound('sync event', id);
    return event;
  }

  async resolve(id: string, note: string | undefined, caller: Caller): Promise<SyncEvent> {
    await this.event(id);
    if (note !== undefined) assertVisible('note', note, { longest: 10_000, lines: true });
    const resolved = await this.#options.store.resolveEvent(id, caller.actor, note ?? null);
    if (resolved !== undefined) return resolved;
    throw new DomainError('conflict', `sync event ${id} is already resolved`, { id });
  }

  async startScan(): Promise<ConsistencyScan> {
    for (let tries = 0; tries < TRIES; tries++) {
      const begun = this.#running === undefined ? await this.#begin() : undefined;
      const scanning = begun ?? (await this.#options.store.runningScan());
      if (scanning !== undefined) return scanning;
      await sleep(PAUSE);
    }
    throw new DomainError('conflict', 'another process is starting a scan');
  }

  async latestScan(): Promise<ConsistencyScan> {
    const latest = await this.#options.store.latestScan();
    if (latest === undefined) throw new DomainError('not_found', 'there has been no scan');
    return latest;
  }

  async close(): Promise<void> {
    this.#stop.abort(new Error('the process is stopping'));
    await this.#running;
  }

  /** A scan of this process, undefined if another process has the lock. */
  async #begin(): Promise<ConsistencyScan | undefined> {
    const right = await this.#options.store.takeScanRight();
    if (right === undefined) return undefined;
    let started: ConsistencyScan | undefined;
    try {
      started = await right.begin(`scan_${randomBytes(12).toString('hex')}`);
    } finally {
      if (started === undefined) await right.release();
    }
    if (started === undefined) return undefined;
    const { id } = started;
    this.#running = this.#run(right, id)
      .catch((error: unknown) => {
        this.#options.log.error(
          { err: error, scan: id },
          'the result of a consistency scan could not be recorded',
        );
      }) // the next scan closes it
      .finally(() => {
        this.#running = undefined;
      });
    return started;
  }

  async #run(right: ScanRight, id: string): Promise<void> {
    const { store, deps, log, onMismatch } = this.#options;
    const progress = { checked: 0, mismatches: 0 };
    let error: string | null = null;
    try {
      await scan(
        deps,
        async (mismatch) => {
          if (await store.insertEvent(mismatch)) onMismatch?.(mismatch.eventType);
        },
        this.#stop.signal,
        progress,
      );
    } catch (fault) {
      error = this.#reasonOf(fault);
      log.error({ err: fault, scan: id }, 'a consistency scan failed');
    }
    try {
      await store.finishScan({ id, status: error === null ? 'completed' : 'failed', ...progress, error });
    } finally {
      await right.release();
    }
  }

  /** The error message of a failed scan. */
  #reasonOf(fault: unknown): string {
    if (fault instanceof DomainError) return fault.message;
    return this.#stop.signal.aborted ? 'the process was stopped' : 'internal error';
  }
}

export const createSync = (options: SyncOptions): Sync => new SyncService(options);
