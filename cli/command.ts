// Provides what all commands share: options, parsing of numbers and files, and help texts with examples.
import { Command, InvalidArgumentError, Option } from 'commander';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { type Api, apiOf } from './api.ts';
import { UsageFailure } from './failure.ts';
import { type Printer, printerFor } from './output.ts';
import type { Session } from './session.ts';
import { type TargetOptions, targetOf } from './target.ts';
import { withoutPrototype } from '../platform/without-prototype.ts';

export interface CommonOptions extends TargetOptions {
  readonly json?: boolean;
  /** Whether JSON is printed as YAML. */
  readonly isYaml?: boolean;
}

/** Creates a command with `--json` and examples below its help. */
function command(name: string, summary: string, examples: readonly string[]): Command {
  const lines = examples.map((example) => `  $ cairn ${example}`).join('\n');
  return new Command(name)
    .summary(summary)
    .description(summary)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      examples.length === 0 ? '' : `\n${examples.length === 1 ? 'Example' : 'Examples'}:\n${lines}`,
    );
}

/** Creates a command that works on files of this machine. */
export const localCommand = (name: string, summary: string, examples: readonly string[]): Command =>
  command(name, summary, examples).option(
    '--config <file>',
    'configuration file (default: CAIRN_CONFIG, otherwise gateway.yaml)',
  );

/** Creates a command that calls a running platform. */
export const clientCommand = (name: string, summary: string, examples: readonly string[]): Command =>
  localCommand(name, summary, examples)
    .option(
      '--url <address>',
      'base address of the server (default: CAIRN_URL, otherwise the address in the configuration)',
    )
    .option(
      '--key <key>',
      'API key or access token (default: CAIRN_KEY, otherwise the admin key in the data directory)',
    );

/**
 * Lets commands that print facts, and none of which writes a file or prints a list by `-o`, take `-o json` and
 * `-o yaml` as lists do.
 */
export function takeFormats(command: Command): void {
  for (const member of command.commands) takeFormats(member);
  const has = (flag: string): boolean =>
    command.options.some(({ short, long, hidden }) => !hidden && (short === flag || long === flag));
  if (command.commands.length > 0 || !has('--json') || has('-o') || has('--output')) return;
  command
    .addOption(choice('-o, --output <format>', '--json is the same as -o json', ['text', 'json', 'yaml']))
    .hook('preAction', () => {
      const { output, json } = command.opts<{ output?: string; json?: boolean }>();
      if (output !== undefined && output !== 'json' && json === true)
        throw new UsageFailure(`--json contradicts -o ${output}`);
      if (output === 'json' || output === 'yaml') command.setOptionValue('json', true);
      command.setOptionValue('isYaml', output === 'yaml').setOptionValue('output', undefined);
    });
}

/** Lets `--json` precede the name of a subcommand. */
export const jsonAnywhere = (): Option => new Option('--json', 'print JSON').hideHelp();

/** Passes a `--json` that precedes a subcommand's name on to the subcommand. */
export function passJsonOn(command: Command): void {
  if (command.optsWithGlobals<{ json?: boolean }>().json === true) command.setOptionValue('json', true);
}

/** Creates a command that only groups subcommands. */
export function group(name: string, summary: string, members: readonly Command[]): Command {
  const holder = new Command(name).summary(summary).description(summary).addOption(jsonAnywhere());
  for (const member of members) holder.addCommand(member);
  return holder;
}

export interface Client {
  readonly api: Api;
  readonly printer: Printer;
}

export const clientOf = (session: Session, options: CommonOptions): Client => ({
  api: apiOf(targetOf(session, options), (warning) => {
    session.stderr.write(`warning: ${warning}\n`);
  }),
  printer: printerFor(session, options),
});

/** Parses a whole number in a range, for an option. */
export const wholeNumber =
  (least: number, most: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > most)
      throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
    return value;
  };

/** Collects an option that may be given several times. */
export const collected = (text: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  text,
];

/**
 * Parses repeated `field=value` options: several values of one field are combined with "or", different fields
 * with "and".
 */
export function conditions(where: readonly string[] = []): Record<string, string[]> {
  // fields may have any name
  const found = withoutPrototype<string[]>();
  for (const condition of where) {
    const at = condition.indexOf('=');
    if (at < 1) throw new UsageFailure(`--where must be <field>=<value>, not "${condition}"`);
    (found[condition.slice(0, at)] ??= []).push(condition.slice(at + 1));
  }
  return found;
}

/**
 * Parses `field=value` arguments into an object.
 * @throws UsageFailure
 */
export function pairs(
  texts: readonly string[],
  read: (value: string) => unknown = (value) => value,
): Record<string, unknown> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf('=');
      if (at < 1) throw new UsageFailure(`${text} is not field=value`);
      return [text.slice(0, at), read(text.slice(at + 1))];
    }),
  );
}

/** Parses valid JSON, else returns the text itself: `5` is a number, `chr1` a text. */
export function jsonOrText(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch (fault) {
    if (fault instanceof SyntaxError) return value;
    throw fault;
  }
}

export const choice = (flags: string, description: string, choices: readonly string[]): Option =>
  new Option(flags, description).choices(choices);

/**
 * Returns the text of a file, or of standard input where the name is `-`.
 * @throws UsageFailure where the file cannot be read
 */
export async function readInput(session: Session, name: string): Promise<string> {
  if (name === '-') return readAll(session.stdin);
  try {
    return readFileSync(path.resolve(session.cwd, name), 'utf8');
  } catch (cause) {
    throw new UsageFailure(
      `${name} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
}
