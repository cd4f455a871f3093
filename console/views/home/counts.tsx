// How many entities there are of each type, all in one request.
import { type ReactNode, useMemo } from 'react';
import { type Operation, operation } from '../../api/operation.ts';
import { useQuery } from '../../api/use-api.ts';
import { Link, useAddress } from '../../address/address.tsx';
import type { GrowthQuery, GrowthQueryVariables } from '../../generated/api.ts';
import { Fault } from '../../parts/states.tsx';
import { numberText } from '../../parts/text.ts';
import { Given } from '../../parts/value.tsx';
import { projectFilter } from '../../parts/project-filter.ts';
import { ownLast } from '../../parts/type-infos.ts';

export interface TypeEntry {
  readonly name: string;
  readonly description: string | null;
  readonly parent: string | null;
}

const GROWTH = operation<GrowthQuery, GrowthQueryVariables>(/* GraphQL */ `
  query Growth($project: String) {
    entityGrowth(days: 28, project: $project) {
      isComplete
      types {
        entityType
        created
      }
    }
  }
`);

/** Columns of how many were created on each day; the words beside say it to those who do not see them. */
function Growth({ created }: { readonly created: readonly number[] }): ReactNode {
  const most = Math.max(...created);
  return (
    <svg
      viewBox={`0 0 ${created.length * 4} 20`}
      preserveAspectRatio="none"
      aria-hidden="true"
      className="growth"
    >
      {created.map((count, day) => {
        const height = count === 0 ? 0.5 : Math.max(1.5, (20 * count) / most);
        return <rect key={day} x={day * 4} y={20 - height} width="3" height={height} />;
      })}
    </svg>
  );
}

type CountData = Readonly<Record<string, { readonly total: number | null } | null>>;

/** Types that are counted at once; an operation has a limit of its fields. */
const MOST = 60;

/** One listing without items for each type, by position. */
function countsOf(names: readonly string[]): Operation<CountData, Readonly<Record<string, unknown>>> {
  const declared = names.map((_, i) => `$t${i}: String`).join(', ');
  const fields = names.map(
    (_, i) =>
      `    t${i}: entities(entityType: $t${i}, limit: 1, filter: $filter, asOf: $at) {\n      total\n    }`,
  );
  return operation(
    `  query Counts(${declared}, $filter: String, $at: DateTime) {\n${fields.join('\n')}\n  }`,
  );
}

function useCounts(
  names: readonly string[],
  at: string | undefined,
): {
  readonly countOf: (name: string) => number | undefined;
  readonly fault: ReactNode;
} {
  const counted = names.slice(0, MOST);
  const key = counted.join('\n');
  const asked = useMemo(() => countsOf(key.split('\n')), [key]);
  const { project } = useAddress();
  const filter = project === undefined ? undefined : projectFilter(project);
  const variables = { ...Object.fromEntries(counted.map((name, i) => [`t${i}`, name])), filter, at };
  const { data, error, reload } = useQuery(asked, variables, { skip: counted.length === 0 });
  return {
    countOf: (name) => data?.[`t${counted.indexOf(name)}`]?.total ?? undefined,
    fault: error && <Fault error={error} onRetry={reload} />,
  };
}

export function Counts({
  types,
  at,
}: {
  readonly types: readonly TypeEntry[];
  readonly at: string | undefined;
}): ReactNode {
  const { countOf, fault } = useCounts(
    types.map(({ name }) => name),
    at,
  );
  const { project } = useAddress();
  // what was created until now: it does not follow the chosen time
  const grown = useQuery(GROWTH, { project: project ?? null }, { skip: at !== undefined, everyMs: 60_000 });
  const { types: growing = [], isComplete = true } = grown.data?.entityGrowth ?? {};
  const createdOf = (name: string): readonly number[] | undefined =>
    at === undefined ? growing.find(({ entityType }) => entityType === name)?.created : undefined;
  return (
    <section className="stack" aria-label="Entities by type">
      {fault}
      <div className="cards">
        {ownLast(types).map(({ name, description }) => {
          const count = countOf(name);
          const created = createdOf(name);
          return (
            <Link key={name} to="entities" params={{ type: name }} className="card">
              <h2>
                <Given text={name} />
              </h2>
              <p className="count">{count === undefined ? '…' : numberText(count)}</p>
              {created !== undefined && (
                <>
                  <Growth created={created} />
                  <p className="quiet small">
                    {numberText(created.reduce((sum, one) => sum + one, 0))}
                    {isComplete ? '' : ' or more'} new in 28 days
                  </p>
                </>
              )}
              <p className="quiet small">
                <Given text={description ?? 'No description.'} most={140} />
              </p>
            </Link>
          );
        })}
      </div>
    </section>
  );
}
