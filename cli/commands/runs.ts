// `cairn runs`: the log of what triggers and people have started.
import type { Command } from 'commander';
import { route, rows } from '../api.ts';
import { clientCommand, clientOf, type CommonOptions, group, wholeNumber } from '../command.ts';
import { facts, table } from '../output.ts';
import type { Session } from '../session.ts';

const list = (session: Session): Command =>
  clientCommand('list', 'list runs, latest first', ['runs list', 'runs list --trigger nightly --limit 5'])
    .option('--trigger <name>', 'of one trigger')
    .option('-n, --limit <n>', 'how many (default 50)', wholeNumber(1, 500))
    .option('--cursor <cursor>', 'continue where a list ended')
    .action(async (options: CommonOptions & { trigger?: string; limit?: number; cursor?: string }) => {
      const { api, printer } = clientOf(session, options);
      const path = options.trigger === undefined ? '/api/v1/workflow/runs' : route`/api/v1/workflow/triggers/${options.trigger}/runs`;
      const runs = await api.call({ path, query: { limit: options.limit, cursor: options.cursor } });
      printer.answer(runs, (paint) => table(paint, ['RUN', 'TRIGGER', 'STATUS', 'STARTED', 'FETCHED', 'CREATED', 'UPDATED', 'SKIPPED', 'FAILED'],
        rows(runs, 'runs').map((r) => [
          r['run_id'], r['trigger_name'], r['status'], r['started_at'],
          r['records_fetched'], r['records_created'], r['records_updated'], r['records_skipped'], r['records_failed'],
        ])));
    });

const show = (session: Session): Command =>
  clientCommand('show', 'show one run with its errors', ['runs show 018f… --json'])
    .argument('<id>', 'id of the run')
    .action(async (id: string, options: CommonOptions) => {
      const { api, printer } = clientOf(session, options);
      const run = await api.call({ path: route`/api/v1/workflow/runs/${id}` }) as Record<string, unknown>; // shown as it is
      printer.answer(run, (paint) => facts(paint, run));
    });

export const runsCommand = (session: Session): Command => group('runs', 'list runs, show one', [list(session), show(session)]);
