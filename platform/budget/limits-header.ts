// Limits on their way to a component in another process, and what it has used of them on its way back.
// Believed where identity headers are.
import type { IncomingHttpHeaders } from 'node:http';
import type { OperationLimits } from './limits.ts';

/** What is left of an operation's limits: `objects=…;bytes=…;time_ms=…`. */
const LIMITS_HEADER = 'x-platform-limits';
/** Objects that an answer shows. */
export const OBJECTS_HEADER = 'x-platform-objects';

const limitsText = ({ objects, bytes, timeMs }: OperationLimits): string =>
  `objects=${objects};bytes=${bytes};time_ms=${timeMs}`;

const FORM = /^objects=(\d{1,15});bytes=(\d{1,15});time_ms=(\d{1,10})$/;

/** What the platform asks for itself is not counted. */
const NONE = 'none';

/** What is left, as text; undefined stands for what is not counted. */
export const limitsTold = (limits: OperationLimits | undefined): string =>
  limits === undefined ? NONE : limitsText(limits);

export const limitsHeader = (limits: OperationLimits | undefined): Record<string, string> => ({
  [LIMITS_HEADER]: limitsTold(limits),
});

/**
 * The limits that came with a request, null where it is not counted; `own` where nothing came that can be
 * read.
 */
export const limitsFrom = (headers: IncomingHttpHeaders, own: OperationLimits): OperationLimits | null =>
  limitsIn(headers[LIMITS_HEADER], own);

/** The same of the text alone. */
export function limitsIn(
  sent: string | readonly string[] | undefined,
  own: OperationLimits,
): OperationLimits | null {
  if (sent === NONE) return null;
  const [, objects, bytes, timeMs] = FORM.exec(typeof sent === 'string' ? sent : '') ?? [];
  if (objects === undefined) return own;
  return { cost: own.cost, objects: Number(objects), bytes: Number(bytes), timeMs: Number(timeMs) };
}
