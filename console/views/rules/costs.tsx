// What a plan costs: how often each rule has to run for it, and how long it took the last times.
import { type ReactNode, useMemo } from 'react';
import { useAddress } from '../../address/address.tsx';
import { type Operation, operation } from '../../api/operation.ts';
import { useQuery } from '../../api/use-api.ts';
import { Fault } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { plural, secondsText } from '../../parts/text.ts';
import { type PlanNode, RuleLink } from './plan.tsx';

/** Rules whose past is looked at; an operation has a limit of its fields. */
const MOST = 20;

type Past = Readonly<
  Record<
    string,
    {
      readonly productions: readonly {
        readonly startedAt: string | null;
        readonly finishedAt: string | null;
      }[];
    } | null
  >
>;

/** The latest productions by each rule, by position. */
const pastOf = (rules: readonly string[]): Operation<Past, Readonly<Record<string, string>>> =>
  operation(
    `query Costs(${rules.map((_, i) => `$r${i}: String`).join(', ')}) {\n${rules
      .map(
        (_, i) =>
          `  r${i}: productions(rule: $r${i}, status: completed, limit: 10) { productions { startedAt finishedAt } }`,
      )
      .join('\n')}\n}`,
  );

/** How many productions of each rule the plan has: what is needed twice is made once. */
function timesOf(node: PlanNode, times = new Map<string, number>()): ReadonlyMap<string, number> {
  const { decision, rule, repeated, requires = [] } = node;
  if (decision !== 'reuse' && rule && repeated !== true) times.set(rule, (times.get(rule) ?? 0) + 1);
  for (const one of requires) timesOf(one, times);
  return times;
}

interface Cost {
  readonly rule: string;
  readonly times: number;
  /** Seconds of the latest ones, the shortest first. */
  readonly took: readonly number[];
}

const middle = ({ took }: Cost): number => took[Math.floor(took.length / 2)] ?? 0;

const Took = ({ took }: { readonly took: readonly number[] }): ReactNode => {
  const [least, most] = [took[0], took.at(-1)];
  if (least === undefined || most === undefined) return <span className="quiet">it has never run</span>;
  return (
    <>
      {secondsText(least)} to {secondsText(most)}{' '}
      <span className="quiet">{took.length === 1 ? 'once' : `the last ${took.length} times`}</span>
    </>
  );
};

function Total({ costs }: { readonly costs: readonly Cost[] }): ReactNode {
  const productions = costs.reduce((sum, { times }) => sum + times, 0);
  const isKnown = costs.every(({ took }) => took.length > 0);
  const seconds = costs.reduce((sum, cost) => sum + cost.times * middle(cost), 0);
  return (
    <p>
      {plural(productions, 'production')}
      {isKnown && `, about ${secondsText(seconds)} one after another`}.
    </p>
  );
}

export function Costs({ plan }: { readonly plan: PlanNode }): ReactNode {
  const times = timesOf(plan);
  const key = JSON.stringify([...times.keys()].slice(0, MOST));
  const rules = useMemo(() => JSON.parse(key) as readonly string[], [key]); // written above
  const asked = useMemo(() => pastOf(rules), [rules]);
  const variables = Object.fromEntries(rules.map((rule, i) => [`r${i}`, rule]));
  const { at } = useAddress();
  const { data, error, isLoading } = useQuery(asked, variables, { skip: rules.length === 0, at });
  if (error) return <Fault error={error} />;
  if (rules.length === 0 || data === undefined || isLoading) return null;
  const costs = [...times].map(([rule, count]) => ({
    rule,
    times: count,
    took: (data[`r${rules.indexOf(rule)}`]?.productions ?? [])
      .flatMap(({ startedAt, finishedAt }) =>
        startedAt === null || finishedAt === null
          ? []
          : [(Date.parse(finishedAt) - Date.parse(startedAt)) / 1000],
      )
      .sort((a, b) => a - b),
  }));
  return (
    <section className="stack" aria-labelledby="costs">
      <h2 id="costs">What it costs</h2>
      <Total costs={costs} />
      <Table
        label="Costs by rule"
        rows={costs}
        keyOf={({ rule }) => rule}
        columns={[
          {
            key: 'rule',
            title: 'rule',
            cell: ({ rule }) => <RuleLink of={rule} />,
          },
          { key: 'times', title: 'runs', isNumber: true, cell: ({ times: count }) => count },
          { key: 'took', title: 'took', cell: ({ took }) => <Took took={took} /> },
        ]}
      />
    </section>
  );
}
