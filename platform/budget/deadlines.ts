// One timer for all deadlines: most operations are over long before theirs, and a timer of its own would cost
// each of them more than the rest of its budget.

export interface Deadline {
  /** As `performance.now()` tells it. */
  readonly deadline: number;
  /** Called soon after that. */
  late(): void;
}

const LOOK_MS = 20;
const deadlines = new Set<Deadline>();
let timer: NodeJS.Timeout | undefined;

function look(): void {
  const now = performance.now();
  for (const deadline of deadlines) {
    if (deadline.deadline > now) continue;
    deadlines.delete(deadline);
    deadline.late();
  }
  if (deadlines.size > 0) return;
  clearInterval(timer);
  timer = undefined;
}

/** From now on it is called when it is late, until it is called off. */
export function watch(deadline: Deadline): void {
  deadlines.add(deadline);
  timer ??= setInterval(look, LOOK_MS).unref();
}

export const callOff = (deadline: Deadline): void => {
  deadlines.delete(deadline);
};
