// The entities of a listing in groups, as bars: how many there are of each value, or what they measure.
import type { ReactNode } from 'react';
import { useAddress } from '../../address/address.tsx';
import { isData } from '../../api/json.ts';
import { operation } from '../../api/operation.ts';
import { useQuery } from '../../api/use-api.ts';
import type { GroupsQuery, GroupsQueryVariables } from '../../generated/api.ts';
import { isNumeric } from '../../parts/field-kind.ts';
import { LabelledSelect } from '../../parts/form.tsx';
import { Empty, Shown } from '../../parts/states.tsx';
import { numberText, plainText } from '../../parts/text.ts';
import type { TypeInfo } from '../../parts/type-infos.ts';
import { Given } from '../../parts/value.tsx';
import { operatorsOf, writeCondition } from './conditions.ts';
import { ChartExplained } from './chart-explained.tsx';
import { groupedBy, intervalsOf } from './chart-interval.ts';
import { MEASURE_NAMES, MEASURES, readShows, type Shows } from './chart-measures.ts';
import type { Listing } from './listing.ts';

const GROUPS = operation<GroupsQuery, GroupsQueryVariables>(/* GraphQL */ `
  query Groups(
    $type: String!
    $by: [String!]!
    $of: [String!]!
    $filter: String
    $gone: Boolean!
    $at: DateTime
    $limit: Int!
  ) {
    aggregate(
      entityType: $type
      groupBy: $by
      of: $of
      filter: $filter
      includeUnavailable: $gone
      asOf: $at
      limit: $limit
    ) {
      total
      groups {
        key
        count
        measures
      }
    }
  }
`);

/** Groups that are drawn. */
const MOST = 30;

/** Fields by whose values entities can be grouped. */
export const groupable = ({ allFields }: TypeInfo): readonly string[] =>
  allFields.filter(({ many, type }) => !many && type !== 'json').map(({ name }) => name);

interface Bar {
  readonly label: string | undefined;
  readonly value: number | undefined;
}

function barsOf(
  { aggregate: { groups } }: GroupsQuery,
  by: string,
  shows: Shows | undefined,
): readonly Bar[] {
  return groups.map(({ key, count, measures }) => {
    const label = isData(key) ? plainText(key[by]) : undefined;
    const measured = shows && isData(measures) ? measures[shows.field] : undefined;
    const value = shows && isData(measured) ? measured[shows.measure] : count;
    return {
      label,
      value: typeof value === 'number' ? value : undefined,
    };
  });
}

/** Numbers and times in their order; other values as they come, those that are most frequent first. */
function inOrder(bars: readonly Bar[], type: string): readonly Bar[] {
  if (!isNumeric({ type }) && type !== 'date' && type !== 'datetime') return bars;
  const [known, unknown] = [
    bars.filter(({ label }) => label !== undefined),
    bars.filter(({ label }) => label === undefined),
  ];
  const compare = (one = '', other = ''): number =>
    isNumeric({ type }) ? Number(one) - Number(other) : Number(one > other) - Number(one < other);
  return [...known.sort((one, other) => compare(one.label, other.label)), ...unknown];
}

function Drawn({
  value,
  from,
  to,
}: {
  readonly value: number;
  readonly from: number;
  readonly to: number;
}): ReactNode {
  const span = to - from || 1;
  return (
    <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
      <rect
        x={((Math.min(0, value) - from) / span) * 100}
        width={(Math.abs(value) / span) * 100}
        height="1"
      />
    </svg>
  );
}

function Bars({
  bars,
  listing,
  field,
  isInterval,
  title,
}: {
  readonly bars: readonly Bar[];
  readonly listing: Listing;
  readonly field: TypeInfo['allFields'][number];
  /** Whether a bar stands for several values. */
  readonly isInterval: boolean;
  readonly title: string;
}): ReactNode {
  const values = bars.map(({ value = 0 }) => value);
  const [from, to] = [Math.min(0, ...values), Math.max(0, ...values)];
  const operators = operatorsOf(field);
  const narrow = (label: string | undefined): void => {
    const condition = {
      field: field.name,
      op: label === undefined ? 'hasnt' : 'eq',
      value: label ?? '',
    } as const;
    listing.change({ f: [...listing.conditions, condition].map(writeCondition) });
  };
  return (
    <table className="chart">
      <caption className="visually-hidden">{title}</caption>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">{field.name}</th>
          <th scope="col">bar</th>
          <th scope="col">{title}</th>
        </tr>
      </thead>
      <tbody>
        {bars.map(({ label, value }) => (
          <tr key={label ?? ''}>
            <th scope="row">
              {label === undefined || (!isInterval && operators.includes('eq')) ? (
                <button
                  type="button"
                  className="button bare"
                  onClick={() => {
                    narrow(label);
                  }}
                >
                  {label === undefined ? <em>no value</em> : <Given text={label} most={60} />}
                </button>
              ) : (
                <Given text={label} most={60} />
              )}
            </th>
            <td>{value !== undefined && <Drawn value={value} from={from} to={to} />}</td>
            <td className="number">{value === undefined ? '–' : numberText(Number(value.toPrecision(6)))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The bars of one choice: those of another would be read by other names. */
function Groups({
  listing,
  field,
  interval,
  shows,
  title,
}: {
  readonly listing: Listing;
  readonly field: TypeInfo['allFields'][number];
  readonly interval: string | undefined;
  readonly shows: Shows | undefined;
  readonly title: string;
}): ReactNode {
  const { at = null } = useAddress();
  const { type, filter = null, showsGone: gone } = listing;
  const of = shows === undefined ? [] : [shows.field];
  const by = groupedBy(field.name, interval);
  const answer = useQuery(GROUPS, { type: type.name, by: [by], of, filter, gone, at, limit: MOST });
  return (
    <Shown answer={answer} what="the groups">
      {(data) =>
        data.aggregate.groups.length === 0 ? (
          <p className="quiet">Nothing to draw: no entity matches.</p>
        ) : (
          <>
            <Bars
              bars={inOrder(barsOf(data, by, shows), field.type)}
              listing={listing}
              field={field}
              isInterval={interval !== undefined}
              title={title}
            />
            {data.aggregate.total > MOST && (
              <p className="quiet small">
                The {MOST} most frequent of {numberText(data.aggregate.total)} values.
              </p>
            )}
          </>
        )
      }
    </Shown>
  );
}

export function Chart({ listing }: { readonly listing: Listing }): ReactNode {
  const { params, set } = useAddress();
  const { type } = listing;
  const fields = groupable(type);
  const by = fields.find((name) => name === params.get('by')) ?? fields[0];
  const field = type.allFields.find(({ name }) => name === by);
  if (field === undefined) return <Empty title="No field of this type can be grouped" />;
  const shows = readShows(params.get('of'), type);
  const intervals = intervalsOf(field.type);
  const interval = intervals.find((name) => name === params.get('per'));
  const measures = type.allFields
    .filter((one) => isNumeric(one) && !one.many)
    .flatMap(({ name }) => MEASURE_NAMES.map((measure) => `${measure}.${name}`));
  const textOf = (text: string): string => {
    const read = readShows(text, type);
    return read === undefined ? 'how many' : `${MEASURES[read.measure]} of ${read.field}`;
  };
  const shown = shows === undefined ? '' : `${shows.measure}.${shows.field}`;
  return (
    <section className="card" aria-label="Chart">
      <div className="row">
        <LabelledSelect
          id="chart-by"
          label="By"
          value={field.name}
          choices={fields}
          onChange={(name) => {
            set({ by: name, per: undefined });
          }}
        />
        {intervals.length > 0 && (
          <LabelledSelect
            id="chart-per"
            label="in intervals of"
            value={interval ?? ''}
            none="each value"
            choices={intervals}
            onChange={(chosen) => {
              set({ per: chosen });
            }}
          />
        )}
        <LabelledSelect
          id="chart-of"
          label="show"
          value={shown}
          none="how many"
          choices={measures}
          textOf={textOf}
          onChange={(chosen) => {
            set({ of: chosen });
          }}
        />
      </div>
      <Groups
        key={`${field.name} ${interval ?? ''} ${shown}`}
        listing={listing}
        field={field}
        interval={interval}
        shows={shows}
        title={textOf(shown)}
      />
      <ChartExplained
        listing={listing}
        by={groupedBy(field.name, interval)}
        of={shows === undefined ? [] : [shows.field]}
      />
    </section>
  );
}
