// The instants as of which an operation reads a component's rows: final before anything is read, so that the same
// read gives the same answer later (docs/decisions/0167-states-that-have-ended.md).
import { invalid } from '../errors.ts';
import type { Caller } from '../identity.ts';
import { canonicalInstant } from '../instant.ts';
import { type CursorPart, decodeCursorAt, endOfCursor } from '../paging.ts';
import type { Queryable } from '../queryable.ts';
import { type Finality, type PastSchema, finalityOf, changesDone, passedInstant } from './past.store.ts';

/** In UTC with microseconds; null for the present. */
export type Instant = string | null;

/** @throws DomainError `validation_failed` for a text that is no instant */
export function readInstant(asOf: string | null | undefined, field = 'as_of'): Instant {
  if (asOf === null || asOf === undefined) return null;
  const instant = canonicalInstant(asOf);
  if (instant === null)
    throw invalid(
      `${field} must be a point in time with an offset, for example 2026-01-31T09:30:00.123456Z`,
      {
        field,
      },
    );
  return instant;
}

/** The past of one component, for one operation. */
export class Past {
  readonly #db: Queryable;
  readonly #schema: PastSchema;
  readonly #caller: Pick<Caller, 'asOf'>;
  /** What is known of each instant, which is final. */
  readonly #known = new Map<string, Promise<Finality>>();

  #now: Promise<string> | null = null;

  constructor(db: Queryable, schema: PastSchema, caller: Pick<Caller, 'asOf'>) {
    this.#db = db;
    this.#schema = schema;
    this.#caller = caller;
  }

  /**
   * The instant that is asked for, or else that of the whole operation; null for the present. A change that is being
   * committed at that very time is waited for.
   * @throws DomainError `validation_failed` for a text that is no instant, and for a time before past states were kept
   */
  async instant(asOf: string | null | undefined): Promise<Instant> {
    const instant = readInstant(asOf ?? this.#caller.asOf);
    if (instant === null) return null;
    const { begins: from } = await this.#settled(instant);
    if (from !== null && instant < from)
      throw invalid(`what ${this.#schema} was is known from ${from} on`, { field: 'as_of', from });
    return instant;
  }

  /**
   * The same for what can be told without past states: null where these are not kept so long.
   * @throws DomainError `validation_failed` for a text that is no instant
   */
  async instantIfKept(asOf: string): Promise<Instant> {
    const instant = readInstant(asOf);
    const from = instant === null ? null : (await this.#settled(instant)).begins;
    return instant !== null && from !== null && instant < from ? null : instant;
  }

  /**
   * Where a page begins, the instant of its list, and what its cursors end with: a cursor has its own instant, which goes
   * before that of the operation. A list as of an instant that has not passed is as of now, and its later pages as of the now
   * of the first.
   * @throws DomainError as {@link decodeCursorAt} and {@link instant}
   */
  async place(
    cursor: string | null,
    order: readonly CursorPart[],
    asked: string | null,
  ): Promise<{
    readonly after: readonly (string | number)[] | null;
    readonly asOf: Instant;
    readonly end: readonly string[];
  }> {
    const { after, asOf: own, asked: wanted } = decodeCursorAt(cursor, order, readInstant(asked));
    const instant = await this.instant(own);
    const isFuture = instant !== null && (await this.#settled(instant)).isFuture;
    const asOf = isFuture ? await this.#passed(instant) : instant;
    return { after, asOf, end: endOfCursor(asOf, wanted ?? asOf) };
  }

  /** Now, but never later than an instant that was ahead: it may have passed since, and then is final once it is looked at again. */
  async #passed(instant: string): Promise<Instant> {
    const now = await this.#present();
    if (now < instant) return this.instant(now);
    this.#known.delete(instant);
    return this.instant(instant);
  }

  /** One for the whole operation. */
  #present(): Promise<string> {
    this.#now ??= passedInstant(this.#db, null);
    return this.#now;
  }

  #settled(instant: string): Promise<Finality> {
    const known = this.#known.get(instant) ?? this.#settle(instant);
    this.#known.set(instant, known);
    return known;
  }

  async #settle(instant: string): Promise<Finality> {
    const finality = await finalityOf(this.#db, this.#schema, instant);
    const { begins, isSettled, isFuture } = finality;
    const isRefused = begins !== null && instant < begins;
    if (!isSettled && !isFuture && !isRefused) await changesDone(this.#db, this.#schema);
    return finality;
  }
}

/** The slice of the resolvers' context. */
export interface PastSlice {
  readonly past: Past;
}
