// `cairn triggers` shows triggers and the results of their runs, and starts them by hand
// (docs/reference/workflow.md#command-line).
import type { Command } from 'commander';
import { entries, member, route } from '../api.ts';
import { clientCommand, clientOf, type CommonOptions, group } from '../command.ts';
import { Failure } from '../failure.ts';
import { type ListOptions, printList, printsList } from '../list.ts';
import { facts } from '../output.ts';
import { endedWell, waitForRun } from '../run-states.ts';
import type { Session } from '../session.ts';

const list = (session: Session): Command =>
  printsList(
    clientCommand('list', 'list triggers with their status and last result', [
      'triggers list',
      'triggers list -o yaml',
    ]),
  )
    .option('--as-of <time>', 'as they were at that time')
    .action(async (options: ListOptions & { asOf?: string }) => {
      const { api } = clientOf(session, options);
      const triggers = await api.call({ path: '/api/v1/workflow/triggers', query: { as_of: options.asOf } });
      printList(session, options, {
        answer: triggers,
        items: entries(triggers).map(([name, trigger]) => ({ name, ...trigger })),
        columns: {
          NAME: 'name',
          STATUS: 'status',
          'LAST RUN': 'last_run',
          'LAST RESULT': 'last_result',
          CURSOR: 'cursor',
        },
      });
    });

const run = (session: Session): Command =>
  clientCommand('run', 'start a trigger now', ['triggers run nightly', 'triggers run nightly --wait'])
    .argument('<name>', 'name of the trigger')
    .option('--wait', 'wait for the run to end; exits with status 1 unless it succeeds')
    .action(async (name: string, options: CommonOptions & { wait?: boolean }) => {
      const { api, printer } = clientOf(session, options);
      const started = await api.call({ method: 'POST', path: route`/api/v1/workflow/triggers/${name}/run` });
      const runId = String(member(started, 'run_id'));
      if (options.wait !== true) {
        printer.answer(
          started,
          () =>
            `run ${runId} is ${String(member(started, 'status'))}; "cairn runs show ${runId}" shows its progress`,
        );
        return;
      }
      const { run: finished, state } = await waitForRun(api, runId);
      // waitForRun has read its status
      printer.answer(finished, (paint) => facts(paint, finished as Record<string, unknown>));
      if (!endedWell(state))
        throw new Failure(`run ${runId} of ${name} ended as ${state}`, { run_id: runId, status: state });
    });

const pause = (session: Session): Command =>
  clientCommand('pause', 'pause a trigger: it fires only on request, until it is resumed', [
    'triggers pause nightly --reason "the sequencer is being serviced"',
  ])
    .argument('<name>', 'name of the trigger')
    .option('--reason <text>', 'why, for those who find it paused')
    .action(async (name: string, { reason, ...options }: CommonOptions & { reason?: string }) => {
      const { api, printer } = clientOf(session, options);
      const paused = await api.call({
        method: 'POST',
        path: route`/api/v1/workflow/triggers/${name}/pause`,
        body: { reason: reason ?? null },
      });
      printer.answer(paused, () => `${name} is paused; "cairn triggers resume ${name}" resumes it`);
    });

const resume = (session: Session): Command =>
  clientCommand('resume', 'resume a paused trigger', ['triggers resume nightly'])
    .argument('<name>', 'name of the trigger')
    .action(async (name: string, options: CommonOptions) => {
      const { api, printer } = clientOf(session, options);
      const resumed = await api.call({
        method: 'POST',
        path: route`/api/v1/workflow/triggers/${name}/resume`,
      });
      printer.answer(resumed, () => `${name} is ${String(member(resumed, 'status'))}`);
    });

export const triggersCommand = (session: Session): Command =>
  group('triggers', 'list triggers, run one now, pause and resume', [
    list(session),
    run(session),
    pause(session),
    resume(session),
  ]);
