// `cairn productions` lists productions, shows and follows one, cancels one.
import type { Command } from 'commander';
import { member, route } from '../api.ts';
import { clientCommand, clientOf, type CommonOptions, group, wholeNumber } from '../command.ts';
import { Failure } from '../failure.ts';
import { type ListOptions, pagedCommand, printList } from '../list.ts';
import { facts, type Paint, printable } from '../output.ts';
import { moreBelow, namedPage, readPages } from '../pages.ts';
import { partsDiffCommand } from '../part-differences.ts';
import { planTree } from '../plan-tree.ts';
import { followProduction, type Production, reasonOf } from '../production-states.ts';
import type { Session } from '../session.ts';

interface ListedBy extends ListOptions {
  readonly asOf?: string;
  readonly status?: string;
  readonly type?: string;
  readonly project?: string;
  readonly request?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

const list = (session: Session): Command =>
  pagedCommand('list', 'list productions, latest first', [
    'productions list',
    'productions list --status failed --limit 5',
    'productions list --all -o csv --columns production_id,status,error.message',
  ])
    .option(
      '--status <status>',
      'only productions in this state: queued, running, completed, failed or cancelled',
    )
    .option('--type <type>', 'only productions of this entity type')
    .option('--project <name>', 'only productions that name this project')
    .option('--request <id>', 'only productions that this request asked for')
    .option('-n, --limit <n>', 'productions in a page (default 100)', wholeNumber(1, 1000))
    .option('--cursor <cursor>', 'cursor of an earlier list, to continue after it')
    .option('--as-of <time>', 'as they were at that time')
    .action(async (options: ListedBy) => {
      const { api } = clientOf(session, options);
      const { status, type, project, request, limit, cursor } = options;
      const productions = await readPages(
        api,
        {
          path: '/api/v1/artifact/productions',
          query: {
            status,
            entity_type: type,
            project,
            request_id: request,
            limit,
            cursor,
            as_of: options.asOf,
          },
        },
        namedPage('productions'),
        options,
      );
      printList(session, options, {
        ...productions,
        columns: {
          PRODUCTION: 'production_id',
          TYPE: 'entity_type',
          CRITERIA: 'criteria',
          RULE: 'rule',
          STATUS: 'status',
          REQUESTED: 'requested_at',
          BY: 'requested_by',
        },
        footer: moreBelow(productions),
      });
    });

/** What is known of a production; its plan as a tree and its log as the text that it is. */
function shown(paint: Paint, { plan, log, ...rest }: Production): string {
  const parts = [facts(paint, rest)];
  if (plan !== null && plan !== undefined) parts.push(`${paint.dim('plan')}\n${planTree(paint, plan)}`);
  if (typeof log === 'string' && log !== '') parts.push(`${paint.dim('log')}\n${printable(log.trimEnd())}`);
  return parts.join('\n');
}

const show = (session: Session): Command =>
  clientCommand('show', 'show one production, with its plan and log', ['productions show 3f1c…'])
    .argument('<id>', 'id of the production')
    .option('--log', 'print only the log, as it is')
    .option('--as-of <time>', 'as it was at that time')
    .action(async (id: string, options: CommonOptions & { log?: boolean; asOf?: string }) => {
      const { api, printer } = clientOf(session, options);
      const production = (await api.call({
        path: route`/api/v1/artifact/productions/${id}`,
        query: { as_of: options.asOf },
      })) as Production; // printed unchanged
      const log = member(production, 'log');
      if (options.log === true) session.stdout.write(typeof log === 'string' ? log : '');
      else printer.answer(production, (paint) => shown(paint, production));
    });

const follow = (session: Session): Command =>
  clientCommand(
    'follow',
    'show the state and log of a production until it ends; exits with status 1 unless it is completed',
    ['productions follow 3f1c…'],
  )
    .argument('<id>', 'id of the production')
    .action(async (id: string, options: CommonOptions) => {
      const { api, printer } = clientOf(session, options);
      const production = await followProduction(api, id, session.stderr);
      printer.answer(production, (paint) => shown(paint, { ...production, log: null }));
      if (production['status'] !== 'completed')
        throw new Failure(
          `production ${id} is ${String(production['status'])}${reasonOf(production['error'])}`,
          { production_id: id, error: production['error'] },
        );
    });

const cancel = (session: Session): Command =>
  clientCommand('cancel', 'stop waiting for a production; it is cancelled if no one else waits for it', [
    'productions cancel 3f1c…',
  ])
    .argument('<id>', 'id of the production')
    .action(async (id: string, options: CommonOptions) => {
      const { api, printer } = clientOf(session, options);
      const production = await api.call({
        method: 'DELETE',
        path: route`/api/v1/artifact/productions/${id}`,
      });
      printer.answer(
        production,
        () =>
          `production ${id} is ${String(member(production, 'status'))}; requests that wait for it: ${String(member(production, 'waiters'))}`,
      );
    });

const diff = (session: Session): Command =>
  partsDiffCommand(session, {
    summary: 'tell what differs between two productions: inputs, parameters, rule, workflow and outputs',
    examples: ['productions diff 3f1c… 77ab…', 'productions diff 3f1c… 77ab… -o json'],
    argument: 'id of a production',
    path: (id) => route`/api/v1/artifact/productions/${id}/diff`,
  });

export const productionsCommand = (session: Session): Command =>
  group('productions', 'list productions, show, compare, follow or cancel one', [
    list(session),
    show(session),
    follow(session),
    cancel(session),
    diff(session),
  ]);
