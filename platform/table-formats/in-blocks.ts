// Rows of a page as the blocks that formats of tables take.
import type { Budget } from '../budget/budget.ts';
import type { RowTexts } from './table.ts';

/** Characters of rows that are written at once. */
const BLOCK = 64 * 1024;

/** The rows in blocks, each made in a turn of its own. */
export async function* inBlocks(
  rows: readonly unknown[],
  budget: Pick<Budget, 'turn'>,
): AsyncGenerator<RowTexts, void, undefined> {
  let block: string[] = [];
  let size = 0;
  for (const row of rows) {
    const text = JSON.stringify(row);
    block.push(text);
    size += text.length;
    if (size < BLOCK) continue;
    yield block;
    [block, size] = [[], 0];
    await budget.turn();
  }
  if (block.length > 0) yield block;
}
