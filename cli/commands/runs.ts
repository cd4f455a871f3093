// `cairn runs` shows the runs that triggers and people have started.
import type { Command } from 'commander';
import { member, route } from '../api.ts';
import { clientCommand, clientOf, type CommonOptions, group, wholeNumber } from '../command.ts';
import { Failure } from '../failure.ts';
import { type ListOptions, pagedCommand, printList } from '../list.ts';
import { facts } from '../output.ts';
import { moreBelow, namedPage, readPages } from '../pages.ts';
import { endedWell, waitForRun } from '../run-states.ts';
import { partsDiffCommand } from '../part-differences.ts';
import type { Session } from '../session.ts';

const list = (session: Session): Command =>
  pagedCommand('list', 'list runs, latest first', [
    'runs list',
    'runs list --trigger nightly --limit 5',
    'runs list --all -o csv --columns run_id,status,records_failed',
  ])
    .option('--trigger <name>', 'only runs of this trigger')
    .option('-n, --limit <n>', 'runs in a page (default 100)', wholeNumber(1, 1000))
    .option('--cursor <cursor>', 'cursor of an earlier list, to continue after it')
    .option('--as-of <time>', 'as they were at that time')
    .action(
      async (options: ListOptions & { trigger?: string; limit?: number; cursor?: string; asOf?: string }) => {
        const { api } = clientOf(session, options);
        const path =
          options.trigger === undefined
            ? '/api/v1/workflow/runs'
            : route`/api/v1/workflow/triggers/${options.trigger}/runs`;
        const query = { limit: options.limit, cursor: options.cursor, as_of: options.asOf };
        const runs = await readPages(api, { path, query }, namedPage('runs'), options);
        printList(session, options, {
          ...runs,
          columns: {
            RUN: 'run_id',
            TRIGGER: 'trigger_name',
            STATUS: 'status',
            STARTED: 'started_at',
            FETCHED: 'records_fetched',
            CREATED: 'records_created',
            UPDATED: 'records_updated',
            SKIPPED: 'records_skipped',
            FAILED: 'records_failed',
          },
          footer: moreBelow(runs),
        });
      },
    );

const show = (session: Session): Command =>
  clientCommand('show', 'show one run with its errors', ['runs show 018f… --json'])
    .argument('<id>', 'id of the run')
    .option('--as-of <time>', 'as it was at that time')
    .action(async (id: string, options: CommonOptions & { asOf?: string }) => {
      const { api, printer } = clientOf(session, options);
      // printed unchanged
      const run = (await api.call({
        path: route`/api/v1/workflow/runs/${id}`,
        query: { as_of: options.asOf },
      })) as Record<string, unknown>;
      printer.answer(run, (paint) => facts(paint, run));
    });

const COUNTS = [
  'records_fetched',
  'records_created',
  'records_updated',
  'records_skipped',
  'records_failed',
] as const;

const follow = (session: Session): Command =>
  clientCommand(
    'follow',
    'show the progress of a run until it ends; exits with status 1 unless it succeeds',
    ['runs follow 018f…', 'runs follow 018f… --json'],
  )
    .argument('<id>', 'id of the run')
    .action(async (id: string, options: CommonOptions) => {
      const { api, printer } = clientOf(session, options);
      const { run, state } = await waitForRun(api, id, (now, status) => {
        const counts = COUNTS.map(
          (name) => `${name.slice('records_'.length)} ${String(member(now, name))}`,
        ).join('  ');
        session.stderr.write(`${status}  ${counts}\n`);
      });
      // waitForRun has read its status
      printer.answer(run, (paint) => facts(paint, run as Record<string, unknown>));
      if (!endedWell(state)) throw new Failure(`run ${id} ended as ${state}`, { run_id: id, status: state });
    });

const cancel = (session: Session): Command =>
  clientCommand('cancel', 'cancel a queued or running run', ['runs cancel 018f…'])
    .argument('<id>', 'id of the run')
    .action(async (id: string, options: CommonOptions) => {
      const { api, printer } = clientOf(session, options);
      const run = await api.call({ method: 'POST', path: route`/api/v1/workflow/runs/${id}/cancel` });
      printer.answer(run, () => `run ${id} is ${String(member(run, 'status'))}`);
    });

const diff = (session: Session): Command =>
  partsDiffCommand(session, {
    summary: 'tell what differs between two runs: action, cause, numbers of records and errors',
    examples: ['runs diff 018f… 0190…'],
    argument: 'id of a run',
    path: (id) => route`/api/v1/workflow/runs/${id}/diff`,
  });

export const runsCommand = (session: Session): Command =>
  group('runs', 'list, show, compare, follow and cancel runs', [
    list(session),
    show(session),
    follow(session),
    cancel(session),
    diff(session),
  ]);
