// Choosing a rule takes as long with ten thousand rules as with ten; the cache never outlives a change,
// whichever process makes it.
import { expect, test } from 'vitest';
import type { Queryable } from '../../platform/queryable.ts';
import { RuleBook } from '../../subgraphs/artifact/planning/rule-book.ts';
import { freshDatabase } from '../testkit/database.ts';

/** Rules `r<from>` to `r<to>` for a type, each for a kind of its own. */
const ADD = `INSERT INTO artifact.rule (name, version, definition, status, scope, cwl_hash, registered_by)
  SELECT 'r' || i, 1, jsonb_build_object('name', 'r' || i, 'produces', jsonb_build_object('entity_type', $3::text, 'match', jsonb_build_object('sample', '{sample}', 'kind', 'k' || i)), 'execute', '{}'::jsonb),
    'active', $4, 'sha256:00', 'user:x' FROM generate_series($1::int, $2::int) i`;

async function books() {
  const database = await freshDatabase();
  const asked: string[] = [];
  let held = Promise.resolve();
  const watched = {
    async query(statement: string | { text: string }, values?: unknown[]) {
      const text = typeof statement === 'string' ? statement : statement.text;
      // pg's own overloads cannot be named.
      const answer = await database.pool.query(statement as string, values);
      asked.push(text);
      if (!text.includes('rule_revision')) await held;
      return answer;
    },
  } as unknown as Queryable;
  return {
    asked,
    book: new RuleBook(watched),
    other: new RuleBook(database.pool),
    add: (from: number, to: number, type = 'Thing', scope = 'global') =>
      database.pool.query(ADD, [from, to, type, scope]),
    sql: (text: string) => database.pool.query(text),
    /** From now on answers with rules are delayed until `release`, except for requests after `pass`. */
    hold: (): { release: () => void; pass: () => void } => {
      let release = (): void => undefined;
      held = new Promise((resolve) => {
        release = resolve;
      });
      return {
        release,
        pass: () => {
          held = Promise.resolve();
        },
      };
    },
    [Symbol.asyncDispose]: () => database.close(),
  };
}

const kind = (n: number) =>
  new Map([
    ['sample', 's'],
    ['kind', `k${n}`],
  ]);
const names = (rules: readonly { readonly name: string }[]): string[] => rules.map(({ name }) => name);

test('among a thousand rules of a type and nine thousand of others, the one that fits is found, and what is asked of the database does not grow', async () => {
  await using bench = await books();
  const { asked, book, add } = bench;
  await add(1, 10);
  expect(names(await book.candidates(['Thing'], kind(7), 'user:x'))).toContain('r7');
  await add(11, 1000);
  await add(1001, 10_000, 'Other');
  expect(names(await book.candidates(['Thing'], kind(777), 'user:x'))).toContain('r777');
  asked.length = 0;
  const found = await book.candidates(['Thing'], kind(888), 'user:x');
  expect(asked).toEqual([expect.stringContaining('rule_revision')]);
  expect(names(found)).toContain('r888');
  expect(found).toHaveLength(50); // the others are only explained
});

test('rules registered, deprecated or superseded by another process count from the next request on', async () => {
  await using bench = await books();
  const { book, other, add, sql } = bench;
  const both = async (n: number) => {
    const [one, two] = await Promise.all(
      [book, other].map((each) => each.candidates(['Thing'], kind(n), 'user:x')),
    );
    expect(names(one ?? [])).toEqual(names(two ?? []));
    return names(one ?? []);
  };
  expect(await both(1)).toEqual([]);
  await add(1, 2);
  expect(await both(1)).toEqual(['r1', 'r2']);
  await sql(`UPDATE artifact.rule SET status = 'deprecated' WHERE name = 'r1'`);
  expect(await both(1)).toEqual(['r2']);
  await sql(`DELETE FROM artifact.rule WHERE name = 'r2'`);
  expect(await both(1)).toEqual([]);
});

test('rules that are added under load are visible to every later request', async () => {
  await using bench = await books();
  const { book, add } = bench;
  for (let n = 1; n <= 20; n++) {
    const asking = Array.from({ length: 8 }, () => book.candidates(['Thing'], kind(n), 'user:x'));
    await add(n, n);
    expect(names(await book.candidates(['Thing'], kind(n), 'user:x'))).toContain(`r${n}`);
    await Promise.all(asking);
    expect(names(await book.candidates(['Thing'], kind(n), 'user:x'))).toContain(`r${n}`);
  }
});

test('an answer read before a change that arrives after it is not cached', async () => {
  await using bench = await books();
  const { asked, book, add, hold } = bench;
  await add(1, 1);
  const { release, pass } = hold();
  const early = book.candidates(['Thing'], kind(1), 'user:x');
  await expect.poll(() => asked).toHaveLength(2);
  pass(); // requests after this one are answered
  await add(2, 2);
  expect(names(await book.candidates(['Thing'], kind(2), 'user:x'))).toContain('r2');
  release();
  expect(names(await early)).toEqual(['r1']);
  expect(names(await book.candidates(['Thing'], kind(2), 'user:x'))).toContain('r2');
});

test('rules of other users are not considered; a rule that makes a type and its subtype is considered once', async () => {
  await using bench = await books();
  const { book, add, sql } = bench;
  await add(1, 1, 'Thing', 'user:sam');
  await add(2, 2);
  await sql(
    `UPDATE artifact.rule SET definition = jsonb_set(definition, '{produces}', '[{"entity_type": "Thing", "match": {"kind": "k1"}}, {"entity_type": "Sub", "match": {"kind": "k2"}}]') WHERE name = 'r2'`,
  );
  expect(names(await book.candidates(['Thing', 'Sub'], kind(2), 'user:x'))).toEqual(['r2']);
  expect(names(await book.candidates(['Thing', 'Sub'], kind(2), 'user:sam'))).toEqual(['r1', 'r2']);
});
