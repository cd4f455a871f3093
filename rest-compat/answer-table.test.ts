// A page as a table is made in turns with other requests.
import { expect, test } from 'vitest';
import type { Budget } from '../platform/budget/budget.ts';
import type { RequestContext } from '../platform/request-context.ts';
import { sendPage } from './answer-table.ts';
import type { TableFormat } from '../platform/table-formats/table.ts';

test('a large page comes in blocks, and others run between them', async () => {
  const blocks: number[] = [];
  let turns = 0;
  const format: TableFormat = {
    extension: 'test',
    mediaType: 'text/test',
    async *encode(_, texts) {
      for await (const block of texts) {
        blocks.push(block.length);
        yield block.join('\n');
      }
    },
  };
  let sent = '';
  const res = {
    writeHead: () => ({ end: (body: Buffer) => (sent = body.toString()) }),
  };
  const budget: Pick<Budget, 'turn'> = {
    turn: () => {
      turns++;
      return Promise.resolve();
    },
  };
  const rows = Array.from({ length: 1000 }, (_, i) => ({ i, text: 'x'.repeat(500) }));
  await sendPage(
    { res } as unknown as RequestContext, // what a page without a cursor and warnings uses
    format,
    [],
    { rows, nextCursor: null },
    { extensions: {}, budget },
  );
  expect(blocks.length).toBeGreaterThan(5);
  expect(turns).toBeGreaterThan(5);
  expect(blocks.reduce((sum, count) => sum + count)).toBe(1000);
  expect(sent.length).toBeGreaterThan(500_000);
});
