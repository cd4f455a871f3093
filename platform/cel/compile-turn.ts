// Has long expressions compiled one at a time: one takes some hundredths of a second, and an operation may
// bring twenty.
import { Turn } from '../turns.ts';

/** Characters up to which expressions are compiled at once, as many as an operation brings. */
const SHORT = 256;

const turn = new Turn(); // one for all: what compiles shares the event loop with everything else

/** Resolves when the expression may be compiled: to be awaited before one that somebody has sent. */
export async function compileTurn(text: string | null | undefined): Promise<void> {
  if (text !== null && text !== undefined && text.length > SHORT && turn.isOver) await turn.next();
}
