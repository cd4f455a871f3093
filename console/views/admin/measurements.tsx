// What the processes measured over a chosen time, as charts, and which processes there are.
import type { ReactNode } from 'react';
import { useAddress } from '../../address/address.tsx';
import { operation } from '../../api/operation.ts';
import { useQuery } from '../../api/use-api.ts';
import type { MeasurementsQuery, MeasurementsQueryVariables } from '../../generated/api.ts';
import { LabelledSelect } from '../../parts/form.tsx';
import { Empty, Shown } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { numberText, sizeText } from '../../parts/text.ts';
import { TimeChart, type TimeLine } from '../../parts/time-chart.tsx';
import { Given, Instant } from '../../parts/value.tsx';

const MEASUREMENTS = operation<MeasurementsQuery, MeasurementsQueryVariables>(/* GraphQL */ `
  query Measurements($from: DateTime!, $to: DateTime, $step: Int!) {
    systemMetrics(from: $from, to: $to, step: $step) {
      times
      series {
        name
        unit
        process
        values
      }
      processes {
        id
        host
        pid
        version
        startedAt
        seenAt
      }
    }
  }
`);
type Measured = MeasurementsQuery['systemMetrics'];
type Process = Measured['processes'][number];

const RANGES = {
  hour: { text: 'the last hour', seconds: 3600, step: 60 },
  'six-hours': { text: 'the last six hours', seconds: 21_600, step: 180 },
  day: { text: 'the last day', seconds: 86_400, step: 720 },
  week: { text: 'the last week', seconds: 604_800, step: 5400 },
  'two-weeks': { text: 'the last two weeks', seconds: 1_209_600, step: 10_800 },
} as const;
type Range = keyof typeof RANGES;
const isRange = (text: string | null): text is Range => text !== null && Object.hasOwn(RANGES, text);

const GROUPS: readonly { readonly title: string; readonly charts: readonly (readonly [string, string])[] }[] =
  [
    {
      title: 'Requests',
      charts: [
        ['requests_per_second', 'Requests'],
        ['errors_per_second', 'Failed requests'],
        ['latency_p95_seconds', 'Latency of 95 in 100'],
        ['shed_per_second', 'Refused: too much under way'],
      ],
    },
    {
      title: 'Processes',
      charts: [
        ['event_loop_delay_seconds', 'Event loop, longest delay'],
        ['memory_bytes', 'Memory'],
        ['heap_used_ratio', 'Heap used'],
        ['body_bytes_in_flight', 'Bodies in flight'],
        ['database_connections_used', 'Connections to the database'],
        ['database_waiting', 'Waiting for a connection'],
        ['cache_hit_ratio', 'Found in caches'],
      ],
    },
    {
      title: 'Log and feed',
      charts: [
        ['log_events_per_second', 'Events'],
        ['log_lock_wait_seconds', "Wait for the log's lock"],
        ['log_position', 'Position of the log'],
        ['feed_followers', 'Followers of the feed'],
        ['feed_lag_events', 'Events a follower is behind'],
      ],
    },
    {
      title: 'Queues and triggers',
      charts: [
        ['runs_queued', 'Runs queued'],
        ['runs_running', 'Runs running'],
        ['productions_queued', 'Productions queued'],
        ['productions_running', 'Productions running'],
        ['deliveries_failed', 'Failed deliveries'],
        ['triggers_late', 'Triggers late'],
        ['triggers_failing', 'Triggers whose last run failed'],
        ['triggers_degraded', 'Triggers that do not work'],
        ['store_bytes', 'Artifact store'],
      ],
    },
  ];

const short = (value: number): string =>
  numberText(value >= 100 ? Math.round(value) : Number(value.toPrecision(2)));

function textIn(unit: string): (value: number) => string {
  switch (unit) {
    case 'bytes':
      return sizeText;
    case 'seconds':
      return (value) => (value < 1 ? `${short(value * 1000)} ms` : `${short(value)} s`);
    case 'ratio':
      return (value) => `${Math.round(value * 100)} %`;
    case 'per_second':
      return (value) => `${short(value)} a second`;
    default:
      return short;
  }
}

const nameOf = (processes: readonly Process[], id: string | null): string => {
  const found = processes.find((one) => one.id === id);
  return found === undefined ? 'all' : `${found.host} ${found.pid}`;
};

const Charts = ({ measured: { times, series, processes } }: { readonly measured: Measured }): ReactNode =>
  GROUPS.map(({ title, charts }) => (
    <section key={title} className="measured">
      <h2>{title}</h2>
      <div className="time-charts">
        {charts.map(([name, heading]) => {
          const found = series.filter((one) => one.name === name);
          const lines: readonly TimeLine[] = found.map(({ process, values }) => ({
            key: process ?? '',
            name: nameOf(processes, process),
            values,
          }));
          return (
            <TimeChart
              key={name}
              title={heading}
              times={times}
              lines={lines}
              textOf={textIn(found[0]?.unit ?? '')}
            />
          );
        })}
      </div>
    </section>
  ));

const Processes = ({ rows }: { readonly rows: readonly Process[] }): ReactNode => (
  <section className="measured">
    <h2>Processes that were there</h2>
    <Table
      label="Processes"
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        { key: 'host', title: 'machine', cell: ({ host }) => <Given text={host} most={80} /> },
        { key: 'pid', title: 'process', isNumber: true, cell: ({ pid }) => String(pid) },
        { key: 'version', title: 'version', cell: ({ version }) => version },
        { key: 'started', title: 'started', cell: ({ startedAt }) => <Instant iso={startedAt} /> },
        { key: 'seen', title: 'last seen', cell: ({ seenAt }) => <Instant iso={seenAt} /> },
      ]}
    />
  </section>
);

/** The end of the time, a whole step, so that a view that is shown again asks for the same. */
function endOf(at: string | undefined, step: number): number {
  const end = at === undefined ? Date.now() : Date.parse(at);
  return Math.ceil(end / 1000 / step) * step * 1000;
}

const EVERY_MS = 30_000;

export function Measurements(): ReactNode {
  const { params, at, set } = useAddress();
  const given = params.get('range');
  const range = isRange(given) ? given : 'hour';
  const { seconds, step } = RANGES[range];
  const to = endOf(at, step);
  const answer = useQuery(
    MEASUREMENTS,
    { from: new Date(to - seconds * 1000).toISOString(), to: new Date(to).toISOString(), step },
    { everyMs: at === undefined ? EVERY_MS : 0, of: at },
  );
  if (answer.error?.code === 'conflict')
    return (
      <Empty title="No measurements are kept">
        <p>{answer.error.message}.</p>
      </Empty>
    );
  return (
    <div className="stack">
      <LabelledSelect
        id="range"
        label="Time"
        value={range}
        choices={Object.keys(RANGES).filter(isRange)}
        textOf={(choice) => RANGES[choice].text}
        onChange={(choice) => {
          set({ range: choice });
        }}
      />
      <Shown answer={answer} what="the measurements">
        {({ systemMetrics: measured }) =>
          measured.series.length === 0 ? (
            <Empty title="Nothing was measured">
              <p>A process writes down what it measures soon after its start, and then at intervals.</p>
            </Empty>
          ) : (
            <>
              <Charts measured={measured} />
              <Processes rows={measured.processes} />
            </>
          )
        }
      </Shown>
    </div>
  );
}
