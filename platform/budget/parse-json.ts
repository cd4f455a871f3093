// Parses large JSON text in parts that take turns on the event loop: `JSON.parse` of some megabytes would keep
// everybody else waiting. For text of our own components.
import { setImmediate as others } from 'node:timers/promises';
import { PartwiseParser } from '../partwise-json.ts';
import type { Budget } from './budget.ts';

/** Text up to this length is parsed in one go. */
const SMALL = 256 * 1024;

/** The value of JSON text; of a large one in turns, of the budget's where there is one. @throws SyntaxError */
export async function parseJsonInTurns(text: string, budget: Budget | undefined): Promise<unknown> {
  if (text.length <= SMALL) return JSON.parse(text);
  const parser = new PartwiseParser(text);
  while (parser.step()) await (budget === undefined ? others() : budget.turn());
  return parser.end();
}
