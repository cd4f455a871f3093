// `cairn runs` shows the runs that triggers and people have started.
import type { Command } from 'commander';
import { member, route } from '../api.ts';
import { clientCommand, clientOf, type CommonOptions, group, wholeNumber } from '../command.ts';
import { Failure, UsageFailure } from '../failure.ts';
import { type ListOptions, pagedCommand, printList } from '../list.ts';
import { facts, type Paint, paintFor, printable } from '../output.ts';
import { moreBelow, namedPage, readPages } from '../pages.ts';
import { followedLines, storedLines } from '../run-log.ts';
import { endedWell, waitForRun } from '../run-states.ts';
import { partsDiffCommand } from '../part-differences.ts';
import type { Session } from '../session.ts';

const list = (session: Session): Command =>
  pagedCommand('list', 'list runs, latest first', [
    'runs list',
    'runs list --trigger nightly --limit 5',
    'runs list --all -o csv --columns run_id,status,records_failed',
    'runs list --status failed --since 2026-01-01T00:00:00Z --error timeout',
  ])
    .option('--trigger <name>', 'only runs of this trigger')
    .option(
      '--status <status>',
      'only runs in this state: queued, running, success, partial_success, failed or skipped',
    )
    .option('--since <time>', 'only runs that were queued at this time or after it')
    .option('--until <time>', 'only runs that were queued before this time')
    .option('--caused-by <key>', 'only runs that this fired, such as run:<id> or request:<id>')
    .option('--request <id>', 'only runs that this request queued')
    .option('--error <text>', 'only runs with an error that contains this text')
    .option('--project <name>', 'only runs that are limited to this project')
    .option('-n, --limit <n>', 'runs in a page (default 100)', wholeNumber(1, 1000))
    .option('--cursor <cursor>', 'cursor of an earlier list, to continue after it')
    .option('--as-of <time>', 'as they were at that time')
    .action(
      async (
        options: ListOptions & {
          trigger?: string;
          status?: string;
          since?: string;
          until?: string;
          causedBy?: string;
          request?: string;
          error?: string;
          project?: string;
          limit?: number;
          cursor?: string;
          asOf?: string;
        },
      ) => {
        const { api } = clientOf(session, options);
        const path =
          options.trigger === undefined
            ? '/api/v1/workflow/runs'
            : route`/api/v1/workflow/triggers/${options.trigger}/runs`;
        const query = {
          status: options.status,
          since: options.since,
          until: options.until,
          caused_by: options.causedBy,
          request_id: options.request,
          error: options.error,
          project: options.project,
          limit: options.limit,
          cursor: options.cursor,
          as_of: options.asOf,
        };
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

interface LogOptions extends CommonOptions {
  readonly follow?: boolean;
  readonly after?: number;
  readonly asOf?: string;
}

/** `2026-01-31T09:30:00.123Z warn  record 17 is refused: …` */
function logLine(paint: Paint, line: unknown): string {
  const text = (name: string): string => printable(String(member(line, name)));
  const at = text('at').replace(/(\.\d{3})\d*Z$/, '$1Z');
  const level = text('level').padEnd(5);
  return `${paint.dim(at)} ${member(line, 'level') === 'info' ? level : paint.bold(level)} ${text('message')}`;
}

const log = (session: Session): Command =>
  clientCommand('log', 'print what a run has done, line by line', [
    'runs log 018f…',
    'runs log 018f… --follow',
    'runs log 018f… --json --after 120',
  ])
    .argument('<id>', 'id of the run')
    .option('-f, --follow', 'print lines as they are written, until the run has ended')
    .option('--after <n>', 'only lines after the one with this number', wholeNumber(0, 2 ** 31 - 1))
    .option('--as-of <time>', 'as it was at that time')
    .action(async (id: string, { follow, after = 0, asOf, ...options }: LogOptions) => {
      if (follow === true && asOf !== undefined) throw new UsageFailure('the past cannot be followed');
      const { api } = clientOf(session, options);
      const paint = paintFor(session.stdout, session);
      const lines = follow === true ? followedLines(api, id, after) : storedLines(api, id, { after, asOf });
      for await (const line of lines)
        session.stdout.write(`${options.json === true ? JSON.stringify(line) : logLine(paint, line)}\n`);
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
  group('runs', 'list, show, compare, follow and cancel runs, and print their logs', [
    list(session),
    show(session),
    follow(session),
    log(session),
    cancel(session),
    diff(session),
  ]);
