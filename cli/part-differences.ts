// Commands that print the parts in which two things of the platform differ.
import type { Command } from 'commander';
import { type Json, member, rows } from './api.ts';
import { clientCommand, clientOf } from './command.ts';
import { UsageFailure } from './failure.ts';
import { type Listing, type ListOptions, printList, printsList } from './list.ts';
import type { Session } from './session.ts';

const wayTo = ({ path }: Json): string => (Array.isArray(path) ? path.map(String).join('.') : '');

export interface DiffOptions extends ListOptions {
  readonly patch?: boolean;
}

/** Adds `--patch`. */
export const printsPatch = (command: Command): Command =>
  command.option('--patch', 'only the JSON Patch (RFC 6902) that makes the first one the second');

/** Prints what differs, or the patch in the answer. @throws UsageFailure */
export function printDiff(session: Session, options: DiffOptions, listing: Listing): void {
  if (options.patch !== true) return printList(session, options, listing);
  if ((options.output ?? 'json') !== 'json' || options.columns !== undefined)
    throw new UsageFailure('a patch is JSON: leave out -o and --columns');
  session.stdout.write(`${JSON.stringify(member(listing.answer, 'json_patch'), null, 2)}\n`);
}

/** Prints an answer with `differences`, `is_complete` and `json_patch`. */
export function printParts(session: Session, options: DiffOptions, answer: unknown): void {
  const items = rows(answer, 'differences');
  const isComplete = member(answer, 'is_complete') === true;
  const footer = isComplete ? undefined : 'there are further differences';
  printDiff(session, options, {
    answer,
    items,
    columns: { PART: wayTo, KIND: 'kind', BEFORE: 'before', AFTER: 'after' },
    footer: items.length === 0 ? 'nothing differs' : footer,
  });
}

export interface ComparedThings {
  readonly summary: string;
  readonly examples: readonly string[];
  /** What the two arguments are. */
  readonly argument: string;
  readonly path: (first: string) => string;
}

/** `diff <first> <second>` of a group of commands. */
export const partsDiffCommand = (
  session: Session,
  { summary, examples, argument, path }: ComparedThings,
): Command =>
  printsPatch(printsList(clientCommand('diff', summary, examples)))
    .argument('<first>', `${argument} to compare`)
    .argument('<second>', `${argument} to compare it with`)
    .action(async (first: string, second: string, options: DiffOptions) => {
      const { api } = clientOf(session, options);
      printParts(session, options, await api.call({ path: path(first), query: { to: second } }));
    });
