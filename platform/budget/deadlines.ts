// One timer for all deadlines: most operations are over long before theirs, and a timer of its own would cost each of them more than the rest of its budget.

interface Deadline { readonly at: number; readonly call: () => void }

const LOOK_MS = 20;
const deadlines = new Set<Deadline>();
let timer: NodeJS.Timeout | undefined;

function look(): void {
  const now = performance.now();
  for (const deadline of deadlines) {
    if (deadline.at > now) continue;
    deadlines.delete(deadline);
    deadline.call();
  }
  if (deadlines.size > 0) return;
  clearInterval(timer);
  timer = undefined;
}

/** Calls back soon after the time, as `performance.now()` tells it. Answers the way to call it off. */
export function endAt(at: number, call: () => void): () => void {
  const deadline = { at, call };
  deadlines.add(deadline);
  timer ??= setInterval(look, LOOK_MS).unref();
  return () => { deadlines.delete(deadline); };
}
