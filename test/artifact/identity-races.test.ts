// docs/reference/artifact.md#entity-identity with concurrent processes: the database decides which entity an
// identity is.
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '../../platform/database/transaction.ts';
import { type IdentifiedEntity } from '../../subgraphs/artifact/production-worker/produced-entities.ts';
import { ProducedWriter } from '../../subgraphs/artifact/production-worker/write-produced.ts';
import type { AskPlatform } from '../../subgraphs/artifact/platform-port.ts';
import { type FreshMetadata, freshMetadata } from '../testkit/metadata.ts';

let meta: FreshMetadata;
const ITEM = { entity_type: 'Letter', match: { key: '{key}' } };
const field = (name: string) => ({ name, field_type: 'string', required: false });

beforeAll(async () => {
  meta = await freshMetadata();
  await meta.ask('mutation S($d: JSON!) { createSchema(definition: $d) { name } }', {
    d: { name: 'Letter', version: '1', fields: ['key', 'word', 'project'].map(field) },
  });
});
afterAll(() => meta[Symbol.asyncDispose]());

/** Calls metadata, and interferes between reading and writing. */
const asking =
  (beforeWrite: () => Promise<unknown>): AskPlatform =>
  (document) => {
    const operation = meta.component.prepare(document);
    return async (variables, caller) => {
      if (document.includes('ingestEntities')) await beforeWrite();
      return operation(variables, caller);
    };
  };

/** As another process would write it. */
async function write(
  production: string,
  entities: readonly { readonly key: string; readonly project?: string }[],
  beforeWrite: () => Promise<unknown>,
): Promise<readonly string[]> {
  const { pool } = meta.database;
  const writer = new ProducedWriter({
    db: pool,
    transact: (work) => inTransaction(pool, work),
    ask: asking(beforeWrite),
  });
  const made = entities.map((data, index): IdentifiedEntity => ({
    item: ITEM,
    index,
    id: `${production}-${index}`,
    fields: ['key', 'word'],
    files: [],
    data: { word: production, ...data },
  }));
  const schema = {
    name: 'Letter',
    subtypes: [],
    fields: new Map(
      ['key', 'word', 'project'].map((name) => [
        name,
        { name, type: 'string', required: false, many: false, values: [] },
      ]),
    ),
  };
  const written = await writer.write({
    production,
    entities: made,
    schemas: new Map([['Letter', schema]]),
    context: () => ({ production }),
    stop: new AbortController().signal,
    stillOurs: () => Promise.resolve(),
  });
  return written.map(({ id }) => id);
}

const count = async (key: string): Promise<number> =>
  (
    (await meta.ask(
      'query($f: [FieldFilter!]) { entities(entityType: "Letter", fields: $f, includeUnavailable: true) { total } }',
      { f: [{ name: 'key', values: [key] }] },
    )) as { total: number }
  ).total;

test('three processes that make the same at once write one entity', async () => {
  const ids = await Promise.all(
    [0, 1, 2].map((i) => write(`three-${i}`, [{ key: 'same' }], () => sleep(150))),
  ); // all others have read by then
  expect(new Set(ids.flat()).size).toBe(1);
  expect(await count('same')).toBe(1);
});

test(
  'each key of a project is one entity, whatever concurrent productions make in whatever order',
  { timeout: 120_000 },
  async () => {
    let round = 0;
    const letters = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            letters,
            project: fc.constantFrom(undefined, 'p', 'q'),
            delay: fc.integer({ min: 0, max: 30 }),
          }),
          { minLength: 2, maxLength: 5 },
        ),
        async (productions) => {
          const own = ++round;
          const key = (letter: string): string => `${own}-${letter}`;
          const ids = await Promise.all(
            productions.map(({ letters: made, project, delay }, i) =>
              write(
                `r${own}-${i}`,
                made.map((letter) => ({ key: key(letter), ...(project === undefined ? {} : { project }) })),
                () => sleep(delay),
              ),
            ),
          );
          for (const letter of ['a', 'b', 'c', 'd', 'e']) {
            const of = productions.flatMap(({ letters: made, project }, i) =>
              made.some((one) => one === letter)
                ? [{ project: project ?? '', id: ids[i]?.[made.findIndex((one) => one === letter)] }]
                : [],
            );
            const byProject = new Map(of.map(({ project, id }) => [project, id]));
            for (const { project, id } of of) expect(id).toBe(byProject.get(project));
            expect(new Set(byProject.values()).size).toBe(byProject.size);
            expect(await count(key(letter))).toBe(byProject.size);
          }
        },
      ),
      { numRuns: 25 },
    );
  },
);

test('an entity that is moved while it is being written stays where it was moved to', async () => {
  const moving = [{ key: 'moving', project: 'p' }];
  const [id = ''] = await write('first', moving, () => Promise.resolve());
  let moved: Promise<unknown> | undefined;
  const again = await write(
    'second',
    moving,
    () =>
      (moved ??= meta.ask(
        'mutation($id: ID!) { updateEntity(entityType: "Letter", id: $id, data: {project: "q"}) { version } }',
        { id },
      )),
  );
  expect(again).not.toEqual([id]);
  expect(await meta.ask('query($id: ID!) { entity(id: $id) { project data } }', { id })).toMatchObject({
    project: 'q',
    data: { word: 'first' },
  });
});
