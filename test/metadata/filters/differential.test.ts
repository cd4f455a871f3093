// Random expressions over random data have the same result in SQL and in process
// (docs/reference/cel.md#pushdown).
import fc from 'fast-check';
import type { ClientBase } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { entityBindings, ENTITY_VARIABLES } from '../../../platform/cel/bindings.ts';
import type { BoundEntity } from '../../../platform/cel/bindings.ts';
import { CelError } from '../../../platform/cel/cel-error.ts';
import { compileCel } from '../../../platform/cel/compile.ts';
import type { CelProgram } from '../../../platform/cel/compile.ts';
import { compileFilter } from '../../../subgraphs/metadata/filters/compile-filter.ts';
import { asBool } from '../../../subgraphs/metadata/filters/sql-values.ts';
import { Translator } from '../../../subgraphs/metadata/filters/translate.ts';
import { Unsupported } from '../../../subgraphs/metadata/filters/unsupported.ts';
import { fillRows, openRows, ROW_COLUMNS } from './entity-rows.ts';
import { hostileEntity } from './hostile-entities.ts';
import { randomExpression } from './random-expressions.ts';

// CAIRN_FUZZ=12000x400: number of expressions and rows
const [expressions = 300, rows = 60] = (process.env.CAIRN_FUZZ ?? '').split('x').filter(Boolean).map(Number);
const seed = Number(process.env.CAIRN_FUZZ_SEED ?? 20260131);

let database: Awaited<ReturnType<typeof openRows>>;
let entities: readonly BoundEntity[];
beforeAll(async () => {
  database = await openRows();
  await database.client.query("SET TIME ZONE 'America/New_York'"); // the result in SQL must not depend on it
  entities = await fillRows(database.client, fc.sample(hostileEntity, { numRuns: rows, seed }));
});
afterAll(async () => {
  await database?.[Symbol.asyncDispose]();
});

type Truth = boolean | null;

function inProcess(program: CelProgram): readonly Truth[] {
  return entities.map((entity) => {
    const outcome = program.evaluate(entityBindings(entity));
    return outcome.ok ? outcome.value : null;
  });
}

/** The result for every row in SQL, NULL for an error; undefined if SQL cannot express it. */
async function inSql(client: ClientBase, program: CelProgram): Promise<readonly Truth[] | undefined> {
  const translator = new Translator(ROW_COLUMNS);
  let sql: string;
  try {
    sql = asBool(translator.value(program.node));
  } catch (error) {
    if (error instanceof Unsupported) return undefined;
    throw error;
  }
  const params: unknown[] = [];
  const { rows: answers } = await client.query<{ truth: Truth }>(
    `SELECT (${translator.parameters.finish(sql).into(params)}) AS truth FROM rows e ORDER BY i`,
    params,
  );
  return answers.map((row) => row.truth);
}

test('SQL and the evaluator agree on every row: true, false or error', async () => {
  const seen = { expressions: 0, inSql: 0, exact: 0, true: 0, false: 0, error: 0 };
  await fc.assert(
    fc.asyncProperty(randomExpression, async (text) => {
      let program: CelProgram;
      try {
        program = compileCel(text, { variables: ENTITY_VARIABLES });
      } catch (error) {
        if (error instanceof CelError) return;
        throw error;
      }
      const truths = inProcess(program);
      seen.expressions++;
      for (const truth of truths) seen[truth === null ? 'error' : truth ? 'true' : 'false']++;

      const answers = await inSql(database.client, program);
      if (answers !== undefined) {
        seen.inSql++;
        expect(answers).toEqual(truths);
      }

      const filter = compileFilter(text, ROW_COLUMNS);
      if (filter.exact) seen.exact++;
      const params: unknown[] = [];
      const found = await database.client.query<{ i: number }>(
        `SELECT i FROM rows e WHERE ${filter.where(params)}`,
        params,
      );
      const candidates = new Set(found.rows.map((row) => row.i));
      const matched = entities.flatMap((entity, i) => {
        if (!candidates.has(i)) return [];
        const outcome = filter.residue?.evaluate(entityBindings(entity)) ?? { ok: true, value: true };
        return outcome.ok && outcome.value ? [i] : [];
      });
      expect(matched).toEqual(truths.flatMap((truth, i) => (truth === true ? [i] : [])));
    }),
    { numRuns: expressions, seed },
  );
  if (process.env.CAIRN_FUZZ !== undefined) console.log(seen);
  // checks that the generator still covers its cases
  expect(seen.expressions).toBeGreaterThan(expressions * 0.8);
  expect(seen.inSql).toBeGreaterThan(expressions * 0.6);
  expect(Math.min(seen.true, seen.false, seen.error)).toBeGreaterThan(expressions * rows * 0.02);
}, 3_600_000);
