// `cairn triggers` shows triggers and the results of their runs, and starts them by hand
// (docs/reference/workflow.md#command-line).
import type { Command } from 'commander';
import { entries, member, route } from '../api.ts';
import { clientCommand, clientOf, type CommonOptions, group } from '../command.ts';
import { Failure } from '../failure.ts';
import { facts, table } from '../output.ts';
import { endedWell, waitForRun } from '../run-states.ts';
import type { Session } from '../session.ts';

const list = (session: Session): Command =>
  clientCommand('list', 'list triggers with their state and last result', [
    'triggers list',
    'triggers list --json',
  ]).action(async (options: CommonOptions) => {
    const { api, printer } = clientOf(session, options);
    const triggers = await api.call({ path: '/api/v1/workflow/triggers' });
    printer.answer(triggers, (paint) =>
      table(
        paint,
        ['NAME', 'STATUS', 'LAST RUN', 'LAST RESULT', 'CURSOR'],
        entries(triggers).map(([name, t]) => [
          name,
          t['status'],
          t['last_run'],
          t['last_result'],
          t['cursor'],
        ]),
      ),
    );
  });

const run = (session: Session): Command =>
  clientCommand('run', 'start a trigger now', ['triggers run nightly', 'triggers run nightly --wait'])
    .argument('<name>', 'name of the trigger')
    .option('--wait', 'wait for the end; exit status 1 unless it is success')
    .action(async (name: string, options: CommonOptions & { wait?: boolean }) => {
      const { api, printer } = clientOf(session, options);
      const started = await api.call({ method: 'POST', path: route`/api/v1/workflow/triggers/${name}/run` });
      const runId = String(member(started, 'run_id'));
      if (options.wait !== true) {
        printer.answer(
          started,
          () =>
            `run ${runId} is ${String(member(started, 'status'))}; "cairn runs show ${runId}" shows how it goes`,
        );
        return;
      }
      const { run: finished, state } = await waitForRun(api, runId);
      // waitForRun has read its status
      printer.answer(finished, (paint) => facts(paint, finished as Record<string, unknown>));
      if (!endedWell(state))
        throw new Failure(`run ${runId} of ${name} ended as ${state}`, { run_id: runId, status: state });
    });

export const triggersCommand = (session: Session): Command =>
  group('triggers', 'list triggers, start one by hand', [list(session), run(session)]);
