// How a set of entities differs between two moments (docs/reference/metadata.md#differences-of-sets): walks what
// changed between them in the order of the log, and compares both states of each entity.
import { Turn } from '../../../platform/turns.ts';
import type { ResidueCheck } from '../filters/check-residue.ts';
import type { EntityRecord } from '../reading/entity-record.ts';
import type { ChangedEntity, ComparedSets, LogSpan } from './differences.store.ts';
import { type ComparedStates, differencesOf } from './entity-diff.ts';

export interface EntityDifference extends ComparedStates {
  /** Of the log: where the walk goes on after it. */
  readonly position: string;
  readonly entityId: string;
  readonly entityType: string;
  readonly kind: 'ADDED' | 'REMOVED' | 'CHANGED';
}

export interface SetWalk {
  readonly sets: ComparedSets;
  /** The position after which it begins. */
  readonly after: string;
  /** The check of what the database does not decide; null where it decides all. */
  readonly residue: ResidueCheck | null;
  /** Which of some states hold the words of the set; null where it has none. */
  readonly holding: ((states: readonly EntityRecord[]) => Promise<ReadonlySet<EntityRecord>>) | null;
  /** Whether most of the states that are read may be let go. */
  readonly checksEach: boolean;
  /** How many entities are looked at first. */
  readonly first: number;
  readonly signal: AbortSignal | undefined;
  readonly changed: (span: LogSpan) => Promise<readonly ChangedEntity[]>;
  /** The states that the caller may see at a position, by id. */
  readonly states: (ids: readonly string[], at: string) => Promise<ReadStates>;
}

export interface ReadStates {
  readonly records: ReadonlyMap<string, EntityRecord>;
  /** Of the texts of their data, together. */
  readonly characters: number;
}

/** Events that one statement looks at: so its time is bounded, however much was written to other types. */
const MAX_SPAN = 20_000n;
/** Entities that one statement finds. */
const MAX_FOUND = 1000;
/** Entities whose states are read together at first, and at most; and the characters of data that they aim at. */
const TOGETHER = { first: 4, most: 500, characters: 2_000_000 } as const;

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** How many states are read together after so many with data of that size. */
function nextTogether(read: number, characters: number, together: number): number {
  const bySize = Math.floor((TOGETHER.characters / Math.max(1, characters)) * read);
  return Math.max(1, Math.min(TOGETHER.most, together * 2, bySize));
}

function differenceOf(
  { position, id }: ChangedEntity,
  before: EntityRecord | null,
  after: EntityRecord | null,
): EntityDifference | null {
  const differences = differencesOf(before, after);
  const told = { position, entityId: id, before, after, differences };
  if (before === null)
    return after === null ? null : { ...told, entityType: after.entityType, kind: 'ADDED' };
  if (after === null) return { ...told, entityType: before.entityType, kind: 'REMOVED' };
  if (differences.length === 0 && before.isAvailable === after.isAvailable) return null;
  return { ...told, entityType: after.entityType, kind: 'CHANGED' };
}

/** Whether an entity has to be read: a filter that is checked here may tell states with the same data apart. */
const isOpen = ({ was, is, differs }: ChangedEntity, residue: ResidueCheck | null): boolean =>
  residue === null ? (was || is) && differs : was || is;

/** The differences of some entities, in their order, with how much data was read for them. */
async function compared(
  { sets: { from, to }, residue, holding, states, signal }: SetWalk,
  part: readonly ChangedEntity[],
  turn: Turn,
): Promise<{ readonly found: readonly EntityDifference[]; readonly characters: number }> {
  const idsOf = (side: 'was' | 'is'): readonly string[] =>
    part.filter((one) => one[side]).map(({ id }) => id);
  const [befores, afters] = await Promise.all([states(idsOf('was'), from), states(idsOf('is'), to)]);
  const all = [befores, afters].flatMap(({ records }) => [...records.values()]);
  const held = await holding?.(all);
  const member = (record: EntityRecord | undefined): EntityRecord | null =>
    record === undefined || held?.has(record) === false || residue?.matches(record.bound()) === false
      ? null
      : record;
  const found: EntityDifference[] = [];
  for (const one of part) {
    if (turn.isOver) {
      await turn.next();
      signal?.throwIfAborted();
    }
    const [was, is] = [befores, afters].map(({ records }) => member(records.get(one.id)));
    const difference = differenceOf(one, was ?? null, is ?? null);
    if (difference !== null) found.push(difference);
  }
  return { found, characters: befores.characters + afters.characters };
}

/** What differs, in batches in the order of each entity's first event between the moments. */
export async function* walkSets(walk: SetWalk): AsyncGenerator<readonly EntityDifference[], void, undefined> {
  const { sets, residue, signal } = walk;
  const [one, other] = [BigInt(sets.from), BigInt(sets.to)];
  const end = one < other ? other : one;
  const turn = new Turn();
  let together: number = TOGETHER.first;
  let limit = Math.min(MAX_FOUND, walk.first);
  for (let after = BigInt(walk.after); after < end;) {
    signal?.throwIfAborted();
    const upto = smaller(end, after + MAX_SPAN);
    const changed = await walk.changed({ after: String(after), upto: String(upto), limit });
    const last = changed.length < limit ? undefined : changed.at(-1);
    after = last === undefined ? upto : BigInt(last.position);
    limit = MAX_FOUND;
    const open = changed.filter((entity) => isOpen(entity, residue));
    for (let from = 0; from < open.length;) {
      const part = open.slice(from, from + together);
      from += part.length;
      const { found, characters } = await compared(walk, part, turn);
      together = nextTogether(part.length, characters, together);
      if (found.length > 0) yield found;
    }
  }
}
