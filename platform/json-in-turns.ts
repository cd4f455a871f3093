// Parses bodies as `parseJson` does, in turns with other work: parsing ten mebibytes in one go takes up to a
// second (docs/decisions/0087-large-bodies-in-turns.md).
import { partOf } from './escaped-names.ts';
import { faulty, type JsonValue, malformed, parseJson, SUSPICIOUS, textOf } from './json.ts';
import { FaultScan } from './json-faults.ts';
import { type JsonBounds, ShapeScan } from './json-shape.ts';
import { PartwiseParser } from './partwise-json.ts';
import { sliced, Turn } from './turns.ts';

/** Bytes that are parsed at once: a thousand of them are parsed in a few hundredths of a second. */
const AT_ONCE = 4 * 1024;
/** Bytes that are parsed in one turn; more, in several. */
const IN_ONE_TURN = 256 * 1024;
/** Characters that are looked at between two looks at the clock. */
const STEP = 64 * 1024;
/** What is looked for may begin before a step and end in it. */
const OVERLAP = 32;

interface BodyText extends JsonBounds {
  readonly body: Buffer;
  /** What error messages call it. */
  readonly what?: string | undefined;
}

const parseInOneTurn = sliced(({ body, what, ...bounds }: BodyText) => parseJson(body, what, bounds));

async function isSuspicious(text: string, turn: Turn): Promise<boolean> {
  for (let at = 0; at < text.length; at += STEP) {
    if (turn.isOver) await turn.next();
    if (SUSPICIOUS.test(text.slice(Math.max(0, at - OVERLAP), at + STEP))) return true;
  }
  return false;
}

async function parseInParts(
  text: string,
  { what = 'the body', limits, hold }: BodyText,
  turn: Turn,
): Promise<JsonValue> {
  const shape = new ShapeScan(text, limits, hold !== undefined);
  while (shape.step(STEP)) if (turn.isOver) await turn.next();
  if (shape.fault) throw shape.fault;
  hold?.(shape.bytes);
  let value: JsonValue;
  try {
    const parser = new PartwiseParser(text, partOf(text));
    while (parser.step()) if (turn.isOver) await turn.next();
    value = parser.end() as JsonValue; // JSON text has a JSON value
  } catch (cause) {
    throw malformed(cause, what);
  }
  if (await isSuspicious(text, turn)) {
    const faults = new FaultScan(text);
    while (faults.step(STEP)) if (turn.isOver) await turn.next();
    if (faults.fault) throw faulty(faults.fault);
  }
  return value;
}

/** As `parseJson`: the same values, and the same refusals. Others run meanwhile, where the body is large. */
export async function parseJsonBody(
  body: Buffer,
  { what, ...bounds }: Omit<BodyText, 'body'> = {},
): Promise<JsonValue> {
  if (body.length <= AT_ONCE) return parseJson(body, what, { limits: bounds.limits });
  if (body.length <= IN_ONE_TURN) return await parseInOneTurn({ body, what, ...bounds });
  const turn = new Turn();
  await turn.next();
  return await parseInParts(textOf(body), { body, what, ...bounds }, turn);
}
