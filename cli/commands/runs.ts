// `cairn runs` shows the runs that triggers and people have started.
import type { Command } from 'commander';
import { member, route, rows } from '../api.ts';
import { clientCommand, clientOf, type CommonOptions, group, wholeNumber } from '../command.ts';
import { Failure } from '../failure.ts';
import { facts, table } from '../output.ts';
import { endedWell, waitForRun } from '../run-states.ts';
import type { Session } from '../session.ts';

const list = (session: Session): Command =>
  clientCommand('list', 'list runs, latest first', ['runs list', 'runs list --trigger nightly --limit 5'])
    .option('--trigger <name>', 'of one trigger')
    .option('-n, --limit <n>', 'how many (default 100)', wholeNumber(1, 1000))
    .option('--cursor <cursor>', 'continue where a list ended')
    .action(async (options: CommonOptions & { trigger?: string; limit?: number; cursor?: string }) => {
      const { api, printer } = clientOf(session, options);
      const path =
        options.trigger === undefined
          ? '/api/v1/workflow/runs'
          : route`/api/v1/workflow/triggers/${options.trigger}/runs`;
      const runs = await api.call({ path, query: { limit: options.limit, cursor: options.cursor } });
      printer.answer(runs, (paint) =>
        table(
          paint,
          ['RUN', 'TRIGGER', 'STATUS', 'STARTED', 'FETCHED', 'CREATED', 'UPDATED', 'SKIPPED', 'FAILED'],
          rows(runs, 'runs').map((r) => [
            r['run_id'],
            r['trigger_name'],
            r['status'],
            r['started_at'],
            r['records_fetched'],
            r['records_created'],
            r['records_updated'],
            r['records_skipped'],
            r['records_failed'],
          ]),
        ),
      );
    });

const show = (session: Session): Command =>
  clientCommand('show', 'show one run with its errors', ['runs show 018f… --json'])
    .argument('<id>', 'id of the run')
    .action(async (id: string, options: CommonOptions) => {
      const { api, printer } = clientOf(session, options);
      // printed unchanged
      const run = (await api.call({ path: route`/api/v1/workflow/runs/${id}` })) as Record<string, unknown>;
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
  clientCommand('follow', 'show how a run goes on, until it ends; exit status 1 unless it ends well', [
    'runs follow 018f…',
    'runs follow 018f… --json',
  ])
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
  clientCommand('cancel', 'end a run that waits or is being worked on', ['runs cancel 018f…'])
    .argument('<id>', 'id of the run')
    .action(async (id: string, options: CommonOptions) => {
      const { api, printer } = clientOf(session, options);
      const run = await api.call({ method: 'POST', path: route`/api/v1/workflow/runs/${id}/cancel` });
      printer.answer(run, () => `run ${id} is ${String(member(run, 'status'))}`);
    });

export const runsCommand = (session: Session): Command =>
  group('runs', 'list runs, show one, follow or cancel it', [
    list(session),
    show(session),
    follow(session),
    cancel(session),
  ]);
