// Combines several writes into one: decided in sequence on one view, and undone together if one of them
// fails.
import type { Needs, Write, Written } from '../log/write.ts';
import { inTurns } from '../../../platform/turns.ts';
import type { SchemaCatalogue } from '../schema-model/schema-catalogue.ts';

interface Together<Result> extends Write<readonly Result[]> {
  /** Index of the last write that was decided: the failed one, if one failed. */
  readonly at: () => number;
}

function together<Result>(first: Write<Result>, rest: readonly Write<Result>[]): Together<Result> {
  const writes = [first, ...rest];
  let index = 0;
  const each = <Value>(of: (write: Write<Result>) => Value): Value[] =>
    writes.map((write, i) => {
      index = i;
      return of(write);
    });
  return {
    author: first.author,
    size: writes.reduce((sum, { size = 0 }) => sum + size, 0),
    needs(catalogue: SchemaCatalogue): Needs {
      const needs = each((write) => write.needs(catalogue));
      return {
        entities: needs.flatMap((n) => n.entities ?? []),
        heads: needs.flatMap((n) => n.heads ?? []),
        relationships: needs.flatMap((n) => n.relationships ?? []),
        externalIds: needs.flatMap((n) => n.externalIds ?? []),
        uniques: needs.flatMap((n) => n.uniques ?? []),
      };
    },
    decide: (view) => each((write) => write.decide(view)),
    decideInTurns: (view) =>
      inTurns([...writes.entries()], ([i, write]) => {
        index = i;
        return write.decide(view);
      }),
    at: () => index,
  };
}

type Outcome<Result> = Written<Result> | Error;

/** The outcomes if one failure fails all: the other writes have none. */
export async function outcomesTogether<Result>(
  attempts: readonly (Write<Result> | Error)[],
  writeAll: (writes: readonly Write<readonly Result[]>[]) => Promise<readonly Outcome<readonly Result[]>[]>,
): Promise<readonly (Outcome<Result> | null)[]> {
  const [first, ...rest] = attempts.filter((write): write is Write<Result> => !(write instanceof Error));
  if (first === undefined || rest.length + 1 < attempts.length)
    return attempts.map((attempt) => (attempt instanceof Error ? attempt : null));
  const all = together(first, rest);
  const outcome = (await writeAll([all]))[0] ?? new Error('the write has no outcome');
  if (outcome instanceof Error) return attempts.map((_, i) => (i === all.at() ? outcome : null));
  return outcome.result.map((result) => ({ result, times: outcome.times }));
}
