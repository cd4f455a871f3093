// What of the workflow's state is measured when metrics are read: the queue, and each configured trigger.
import { AskedGauges, type Readings } from '../../../platform/metrics/asked-gauges.ts';
import type { Reading } from '../../../platform/metrics/process-metrics.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import { isPolling } from '../polls/poll-trigger.ts';
import type { ConfiguredTrigger } from '../trigger-model/trigger-definition.ts';
import { readQueueState, readTriggerStates, type TriggerState } from './workflow-gauges.store.ts';

const BY_TRIGGER = { labels: ['trigger'] };

const DEFINITIONS = {
  cairn_runs: { help: 'Runs that are queued or running.', labels: ['status'] },
  cairn_runs_oldest_queued_seconds: { help: 'Age of the oldest queued run.' },
  cairn_deliveries_failed: { help: 'Deliveries of webhooks whose latest run failed within a day.' },
  cairn_triggers: { help: 'Configured triggers, by state.', labels: ['state'] },
  cairn_trigger_degraded: { help: '1 if the trigger cannot work, otherwise 0.', ...BY_TRIGGER },
  cairn_trigger_failures: { help: 'Runs of the trigger that failed since one succeeded.', ...BY_TRIGGER },
  cairn_trigger_late_seconds: { help: 'How long a tick or a poll has been due.', ...BY_TRIGGER },
  cairn_poll_lag_seconds: {
    help: 'How long a polling trigger has not looked at changes that it should have.',
    ...BY_TRIGGER,
  },
} as const;

const gauges = new AskedGauges(DEFINITIONS);

/** Triggers with metrics of their own, by name; all are counted in `cairn_triggers`. */
const MAX_TRIGGERS = 200;

/** Later than this is late. */
const LATE_SECONDS = 60;

const stateOf = ({ isPaused, isDegraded, failures, lateSeconds }: TriggerState): string => {
  if (isPaused) return 'paused';
  if (isDegraded) return 'degraded';
  if ((lateSeconds ?? 0) > LATE_SECONDS) return 'late';
  return failures > 0 ? 'failing' : 'working';
};

const STATES = ['working', 'failing', 'late', 'degraded', 'paused'] as const;

function triggerReadings(
  states: readonly TriggerState[],
  polling: ReadonlySet<string>,
): Omit<
  Readings<keyof typeof DEFINITIONS>,
  'cairn_runs' | 'cairn_runs_oldest_queued_seconds' | 'cairn_deliveries_failed'
> {
  const shown = states.slice(0, MAX_TRIGGERS);
  const each = (of: readonly TriggerState[], value: (state: TriggerState) => number): readonly Reading[] =>
    of.map((state) => ({ labels: { trigger: state.name }, value: value(state) }));
  const late = ({ isPaused, lateSeconds }: TriggerState): number => (isPaused ? 0 : (lateSeconds ?? 0));
  return {
    cairn_triggers: STATES.map((state) => ({
      labels: { state },
      value: states.filter((one) => stateOf(one) === state).length,
    })),
    cairn_trigger_degraded: each(shown, ({ isDegraded }) => Number(isDegraded)),
    cairn_trigger_failures: each(shown, ({ failures }) => failures),
    cairn_trigger_late_seconds: each(
      shown.filter(({ lateSeconds }) => lateSeconds !== null),
      late,
    ),
    cairn_poll_lag_seconds: each(
      shown.filter(({ name }) => polling.has(name)),
      (state) => Math.max(late(state), state.isPaused ? 0 : (state.problemSeconds ?? 0)),
    ),
  };
}

/** Measures the workflow with these triggers; returns a function that ends it. */
export function measureWorkflow(db: Queryable, triggers: readonly ConfiguredTrigger[]): () => void {
  const names = triggers.map(({ name }) => name).sort();
  const polling = new Set(triggers.filter(isPolling).map(({ name }) => name));
  return gauges.follow(async () => {
    const [queue, states] = await Promise.all([readQueueState(db), readTriggerStates(db, names)]);
    return {
      cairn_runs: [
        { labels: { status: 'queued' }, value: queue.queued },
        { labels: { status: 'running' }, value: queue.running },
      ],
      cairn_runs_oldest_queued_seconds: [{ value: queue.oldestSeconds }],
      cairn_deliveries_failed: [{ value: queue.failedDeliveries }],
      ...triggerReadings(states, polling),
    };
  });
}
