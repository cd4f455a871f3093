// Counts what became of the rows of a load, and groups the refused ones by their reasons.
import { printable } from '../output.ts';
import type { Counts, Fault, Loaded, Outcome } from './load.ts';

/** Rows that are told one by one, and reasons that are kept apart. */
const MAX_ERRORS = 1000;
/** Lines that are named with a reason. */
const MAX_LINES = 5;

export interface RowError extends Fault {
  readonly line: number | null;
  readonly status: number | null;
}

export interface Reason extends Fault {
  readonly status: number | null;
  count: number;
  /** The first lines. */
  readonly lines: number[];
}

/** The same for all rows that are refused for the same reason: what is the row's own is left out. */
function reasonIn(message: string, { id }: Outcome['sent']): string {
  return id === null || id === '' ? message : message.replaceAll(id, '…');
}

const lineText = (lines: readonly number[], count: number): string => {
  const more = count - lines.length;
  return `line${count > 1 ? 's' : ''} ${lines.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
};

/** `lines 3, 17: tissue must be … (column Tissue)` */
export function reasonText({ message, column, status, count, lines }: Reason): string {
  const where = lines.length > 0 ? lineText(lines, count) : `${count} row${count > 1 ? 's' : ''}`;
  const at = column === null ? '' : `, column ${JSON.stringify(column)}`;
  return printable(`${where}${at}: ${message}${status === null ? '' : ` (${status})`}`);
}

export class Report {
  readonly counts: Counts = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  /** Rows whose outcome is known. */
  done = 0;
  readonly errors: RowError[] = [];
  readonly #reasons = new Map<string, Reason>();
  /** The faults that each refused row has. */
  #shared: readonly Fault[] | undefined;

  /** By how many rows they concern. */
  get reasons(): readonly Reason[] {
    return [...this.#reasons.values()].sort((a, b) => b.count - a.count);
  }

  add({ outcomes, counts }: Loaded): void {
    this.done += outcomes.length;
    for (const name of ['created', 'updated', 'unchanged', 'failed'] as const)
      this.counts[name] += counts[name];
    for (const outcome of outcomes)
      if (outcome.refusal !== undefined) this.#note(outcome.sent, outcome.refusal);
  }

  #note(sent: Outcome['sent'], refusal: NonNullable<Outcome['refusal']>): void {
    const { line } = sent;
    const { message, column, status } = refusal;
    const faults = refusal.faults.map((fault) => ({ ...fault, message: reasonIn(fault.message, sent) }));
    this.#shared = this.#shared?.filter((one) => faults.some((fault) => isSame(one, fault))) ?? faults;
    if (this.errors.length < MAX_ERRORS) this.errors.push({ line, column, status, message });
    const reason = reasonIn(message, sent);
    const key = this.#reasons.size < MAX_ERRORS ? JSON.stringify([status, column, reason]) : 'others';
    const known = this.#reasons.get(key) ?? {
      message: key === 'others' ? 'for other reasons' : reason,
      column: key === 'others' ? null : column,
      status: key === 'others' ? null : status,
      count: 0,
      lines: [],
    };
    known.count++;
    if (line !== null && known.lines.length < MAX_LINES) known.lines.push(line);
    this.#reasons.set(key, known);
  }

  /** What every row was refused for; undefined while there are too few to tell. */
  get systematic(): Fault | undefined {
    const { failed } = this.counts;
    const shared = this.#shared ?? [];
    if (failed < this.done || failed < LEAST || shared.length === 0) return undefined;
    const columns = new Set(shared.flatMap(({ column }) => column ?? []));
    return {
      message: shared.map(({ message }) => message).join('; '),
      column: columns.size === 0 ? null : [...columns].join(', '),
    };
  }
}

const isSame = (a: Fault, b: Fault): boolean => a.message === b.message && a.column === b.column;

/** So many rows that are all refused for one reason are no accident. */
const LEAST = 20;
