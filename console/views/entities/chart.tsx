// The entities of a listing in groups, as bars: how many there are of each value, or what they measure.
import type { ReactNode } from 'react';
import { useAddress } from '../../address/address.tsx';
import { isData } from '../../api/json.ts';
import { operation } from '../../api/operation.ts';
import { useQuery } from '../../api/use-api.ts';
import type {
  GroupsQuery,
  GroupsQueryVariables,
  RangeQuery,
  RangeQueryVariables,
} from '../../generated/api.ts';
import { isNumeric } from '../../parts/field-kind.ts';
import { LabelledSelect } from '../../parts/form.tsx';
import { Empty, Loading, Shown } from '../../parts/states.tsx';
import { numberText, plainText } from '../../parts/text.ts';
import type { TypeInfo } from '../../parts/type-infos.ts';
import { type Bar, Bars } from './chart-bars.tsx';
import { ChartExplained } from './chart-explained.tsx';
import {
  EACH_VALUE,
  groupedBy,
  intervalsOf,
  isTime,
  suiting,
  withBreaks,
  withGaps,
} from './chart-interval.ts';
import { MEASURE_NAMES, MEASURES, readShows, type Shows } from './chart-measures.ts';
import type { Listing } from './listing.ts';

const GROUPS = operation<GroupsQuery, GroupsQueryVariables>(/* GraphQL */ `
  query Groups(
    $type: String!
    $by: [String!]!
    $of: [String!]!
    $filter: String
    $q: String
    $gone: Boolean!
    $at: DateTime
    $limit: Int!
  ) {
    aggregate(
      entityType: $type
      groupBy: $by
      of: $of
      filter: $filter
      q: $q
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

const RANGE = operation<RangeQuery, RangeQueryVariables>(/* GraphQL */ `
  query Range($type: String!, $of: [String!]!, $filter: String, $q: String, $gone: Boolean!, $at: DateTime) {
    aggregate(entityType: $type, of: $of, filter: $filter, q: $q, includeUnavailable: $gone, asOf: $at) {
      groups {
        measures
      }
    }
  }
`);

/** Groups that are drawn where there are more; those without a value are one, too. */
const MOST = 30;

/** Fields by whose values entities can be grouped. */
export const groupable = ({ allFields }: TypeInfo): readonly string[] =>
  allFields.filter(({ many, type }) => !many && type !== 'json').map(({ name }) => name);

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
  if (!isNumeric({ type }) && !isTime(type)) return bars;
  const [known, unknown] = [
    bars.filter(({ label }) => label !== undefined),
    bars.filter(({ label }) => label === undefined),
  ];
  const compare = (one = '', other = ''): number =>
    isNumeric({ type }) ? Number(one) - Number(other) : Number(one > other) - Number(one < other);
  return [...known.sort((one, other) => compare(one.label, other.label)), ...unknown];
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
  const { type, filter = null, words, showsGone: gone } = listing;
  const of = shows === undefined ? [] : [shows.field];
  const by = groupedBy(field.name, interval);
  const answer = useQuery(GROUPS, {
    type: type.name,
    by: [by],
    of,
    filter,
    q: words,
    gone,
    at,
    limit: MOST + 1,
  });
  const drawnOf = (bars: readonly Bar[], isCut: boolean): readonly Bar[] => {
    const ordered = inOrder(isCut ? bars.slice(0, MOST) : bars, field.type);
    if (interval === undefined) return ordered;
    const nothing = { value: shows === undefined ? 0 : undefined };
    // of an interval that was cut off nobody knows how many there are
    const whole = isCut ? undefined : withGaps(ordered, interval, MOST, (label) => ({ label, ...nothing }));
    return whole ?? withBreaks(ordered, interval, (label) => ({ label, value: undefined, isBreak: true }));
  };
  return (
    <Shown answer={answer} what="the groups">
      {(data) => {
        const { groups, total } = data.aggregate;
        const isCut = total > groups.length;
        return groups.length === 0 ? (
          <p className="quiet">Nothing to draw: no entity matches.</p>
        ) : (
          <>
            <Bars
              bars={drawnOf(barsOf(data, by, shows), isCut)}
              between={isCut ? 'others may be here' : 'nothing here'}
              listing={listing}
              field={field}
              interval={interval}
              title={title}
            />
            {isCut && (
              <p className="quiet small">
                The {MOST} most frequent of {numberText(total)}{' '}
                {interval === undefined ? 'values' : 'intervals'}
                {interval === undefined
                  ? '; the others are not drawn.'
                  : '; the others, which may be at ⋮ or beyond, are not drawn.'}
              </p>
            )}
          </>
        );
      }}
    </Shown>
  );
}

/**
 * Of times and numbers, the interval that suits what there is, unless one was chosen.
 * @param chosen from the address, which may say anything
 */
function useInterval(
  listing: Listing,
  field: TypeInfo['allFields'][number],
  chosen: string | null,
): { readonly interval: string | undefined; readonly isKnown: boolean } {
  const { at = null } = useAddress();
  const { type, filter = null, words, showsGone: gone } = listing;
  const named = intervalsOf(field.type).find((name) => name === chosen);
  const skip = intervalsOf(field.type).length === 0 || named !== undefined || chosen === EACH_VALUE;
  const { data, error } = useQuery(
    RANGE,
    { type: type.name, of: [field.name], filter, q: words, gone, at },
    { skip },
  );
  if (skip || error) return { interval: named, isKnown: true }; // the groups say what is wrong
  if (data === undefined) return { interval: undefined, isKnown: false };
  const measures = data.aggregate.groups[0]?.measures;
  const range = isData(measures) ? measures[field.name] : undefined;
  const [from, to] = isData(range) ? [range['min'], range['max']] : [];
  return { interval: suiting(from, to, field.type, MOST), isKnown: true };
}

/** What is chosen, as far as it can be. */
const perOf = (chosen: string | null, intervals: readonly string[]): string =>
  chosen !== null && [...intervals, EACH_VALUE].includes(chosen) ? chosen : '';

/** The choice of intervals, and the bars. */
function FieldChart({
  listing,
  field,
  fields,
}: {
  readonly listing: Listing;
  readonly field: TypeInfo['allFields'][number];
  readonly fields: readonly string[];
}): ReactNode {
  const { params, set } = useAddress();
  const { type } = listing;
  const shows = readShows(params.get('of'), type);
  const intervals = intervalsOf(field.type);
  const chosen = params.get('per');
  const { interval, isKnown } = useInterval(listing, field, chosen);
  const suits = perOf(chosen, intervals) === '' ? interval : undefined;
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
            value={perOf(chosen, intervals)}
            none={suits === undefined ? 'what suits them' : `${suits}, which suits them`}
            choices={[...intervals, EACH_VALUE]}
            onChange={(per) => {
              set({ per });
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
      {isKnown ? (
        <Groups
          key={`${field.name} ${interval ?? ''} ${shown}`}
          listing={listing}
          field={field}
          interval={interval}
          shows={shows}
          title={textOf(shown)}
        />
      ) : (
        <Loading what="the groups" />
      )}
      <ChartExplained
        listing={listing}
        by={groupedBy(field.name, interval)}
        of={shows === undefined ? [] : [shows.field]}
      />
    </section>
  );
}

export function Chart({ listing }: { readonly listing: Listing }): ReactNode {
  const { params } = useAddress();
  const { type } = listing;
  const fields = groupable(type);
  const by = fields.find((name) => name === params.get('by')) ?? fields[0];
  const field = type.allFields.find(({ name }) => name === by);
  if (field === undefined) return <Empty title="No field of this type can be grouped" />;
  return <FieldChart key={field.name} listing={listing} field={field} fields={fields} />;
}
