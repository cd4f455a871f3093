// Commands that print the parts in which two things of the platform differ.
import type { Command } from 'commander';
import { type Json, member, rows } from './api.ts';
import { clientCommand, clientOf } from './command.ts';
import { type ListOptions, printList, printsList } from './list.ts';
import type { Session } from './session.ts';

const wayTo = ({ path }: Json): string => (Array.isArray(path) ? path.map(String).join('.') : '');

/** Prints an answer with `differences` and `is_complete`. */
export function printParts(session: Session, options: ListOptions, answer: unknown): void {
  const items = rows(answer, 'differences');
  const isComplete = member(answer, 'is_complete') === true;
  const footer = isComplete ? undefined : 'there are further differences';
  printList(session, options, {
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
  printsList(clientCommand('diff', summary, examples))
    .argument('<first>', `${argument} to compare`)
    .argument('<second>', `${argument} to compare it with`)
    .action(async (first: string, second: string, options: ListOptions) => {
      const { api } = clientOf(session, options);
      printParts(session, options, await api.call({ path: path(first), query: { to: second } }));
    });
