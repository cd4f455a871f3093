// `cairn rules` lists, registers and deprecates production rules.
import type { Command } from 'commander';
import { member, route, rows } from '../api.ts';
import { choice, clientCommand, clientOf, type CommonOptions, group } from '../command.ts';
import { Failure } from '../failure.ts';
import { type ListOptions, printList, printsList } from '../list.ts';
import { printable } from '../output.ts';
import { namedPage, readPages } from '../pages.ts';
import { readRules } from '../rule-file.ts';
import { partsDiffCommand } from '../part-differences.ts';
import type { Session } from '../session.ts';

const list = (session: Session): Command =>
  printsList(
    clientCommand('list', 'list production rules', ['rules list', 'rules list --status active -o yaml']),
  )
    .addOption(
      choice('--status <status>', 'only rules with this status', ['active', 'superseded', 'deprecated']),
    )
    .option('--name <name>', 'only versions of this rule')
    .option('--scope <scope>', 'only rules of this scope: global or user:<id>')
    .option('--project <name>', 'only rules that can make something of this project')
    .option('--as-of <time>', 'as they were at that time')
    .action(
      async (
        options: ListOptions & {
          status?: string;
          name?: string;
          scope?: string;
          project?: string;
          asOf?: string;
        },
      ) => {
        const { api } = clientOf(session, options);
        const { status, name, scope, project } = options;
        const rules = await readPages(
          api,
          { path: '/api/v1/artifact/rules', query: { status, name, scope, project, as_of: options.asOf } },
          namedPage('rules'),
          { all: true },
        );
        printList(session, options, {
          ...rules,
          columns: {
            RULE: 'rule',
            STATUS: 'status',
            SCOPE: 'scope',
            PRODUCES: (rule) => produced(rule['produces']),
            DESCRIPTION: 'description',
          },
        });
      },
    );

const produced = (produces: unknown): string =>
  rows(Array.isArray(produces) ? produces : [produces])
    .map((item) => String(item['entity_type']))
    .join(', ');

/** @throws Failure with every violation that the validation found */
function assertValid(
  rules: readonly Readonly<Record<string, unknown>>[],
  rehearsed: readonly unknown[],
): void {
  const violations = rehearsed.flatMap((one, i) =>
    rows(one, 'violations').map((violation) => ({ rule: rules[i]?.['name'], ...violation })),
  );
  const lines = violations.map(
    (violation) => `  ${printable(`${String(violation.rule)}: ${String(member(violation, 'message'))}`)}`,
  );
  if (lines.length > 0)
    throw new Failure(['the rules are not valid; nothing was registered', ...lines].join('\n'), {
      violations,
    });
}

interface RegisterOptions extends CommonOptions {
  readonly dryRun?: boolean;
  readonly replace: boolean;
}

const register = (session: Session): Command =>
  clientCommand('register', 'register the rules of a file', [
    'rules register align.yaml',
    'rules register align.yaml --dry-run',
    'rules register align.yaml --no-replace',
  ])
    .argument('<file>', 'YAML or JSON: a rule, or a package {name, rules}; - is standard input')
    .option('--dry-run', 'only validate the rules, and list every violation')
    .option('--no-replace', 'do not replace the active version')
    .action(async (file: string, options: RegisterOptions) => {
      const { api, printer } = clientOf(session, options);
      const registered: unknown[] = [];
      const rules = await readRules(session, file);
      for (const rule of rules) {
        const body = options.replace ? rule : { ...rule, replace: false };
        registered.push(
          await api.call({
            method: 'POST',
            path: '/api/v1/artifact/rules',
            query: { dry_run: options.dryRun },
            body,
          }),
        );
      }
      if (options.dryRun === true) assertValid(rules, registered);
      printer.answer(registered, () =>
        options.dryRun === true
          ? 'valid; nothing was registered'
          : registered
              .map((rule) => `${String(member(rule, 'rule'))} is ${String(member(rule, 'status'))}`)
              .join('\n'),
      );
    });

const deprecate = (session: Session): Command =>
  clientCommand('deprecate', 'deprecate a rule: it is no longer used, and its record is kept', [
    'rules deprecate align --note "replaced by align-v2"',
  ])
    .argument('<name>', 'name of the rule')
    .requiredOption('--note <text>', 'reason, recorded with the rule')
    .action(async (name: string, options: CommonOptions & { note: string }) => {
      const { api, printer } = clientOf(session, options);
      const rule = await api.call({
        method: 'PATCH',
        path: route`/api/v1/artifact/rules/${name}`,
        body: { status: 'deprecated', deprecation_note: options.note },
      });
      printer.answer(rule, () => `${name} is deprecated`);
    });

const diff = (session: Session): Command =>
  partsDiffCommand(session, {
    summary:
      'tell what differs between two versions of a rule, or two rules, and between their workflows by step',
    examples: ['rules diff align@1 align@2', 'rules diff align@1 align -o json'],
    argument: 'name@version, or a name for its active version',
    path: (name) => route`/api/v1/artifact/rules/${name}/diff`,
  });

export const rulesCommand = (session: Session): Command =>
  group('rules', 'list, register, compare and deprecate production rules', [
    list(session),
    register(session),
    deprecate(session),
    diff(session),
  ]);
