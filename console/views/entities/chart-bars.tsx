// The bars of a chart, as a table: each leads to the entities that it stands for.
import type { ReactNode } from 'react';
import { numberText } from '../../parts/text.ts';
import type { TypeInfo } from '../../parts/type-infos.ts';
import { Given } from '../../parts/value.tsx';
import { labelOf, nextOf } from './chart-interval.ts';
import { type Condition, operatorsOf, writeCondition } from './conditions.ts';
import type { Listing } from './listing.ts';

export interface Bar {
  readonly label: string | undefined;
  readonly value: number | undefined;
  /** Stands for what is left out before the next one. */
  readonly isBreak?: boolean;
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

/** They have their widths by them: the heading is hidden. */
const COLUMNS = (
  <colgroup>
    <col />
    <col />
    <col />
  </colgroup>
);

const Heading = ({ names }: { readonly names: readonly string[] }): ReactNode => (
  <thead className="visually-hidden">
    <tr>
      {names.map((name) => (
        <th key={name} scope="col">
          {name}
        </th>
      ))}
    </tr>
  </thead>
);

const Break = ({ text }: { readonly text: string }): ReactNode => (
  <tr className="quiet small">
    <th scope="row">
      <span aria-hidden="true">⋮</span>
      <span className="visually-hidden">{text}</span>
    </th>
    <td colSpan={2} />
  </tr>
);

export function Bars({
  bars,
  between,
  listing,
  field,
  interval,
  title,
}: {
  readonly bars: readonly Bar[];
  /** What is said of a break. */
  readonly between: string;
  readonly listing: Listing;
  readonly field: TypeInfo['allFields'][number];
  /** Of values for which a bar stands together. */
  readonly interval: string | undefined;
  readonly title: string;
}): ReactNode {
  const values = bars.map(({ value = 0 }) => value);
  const [from, to] = [Math.min(0, ...values), Math.max(0, ...values)];
  const operators = operatorsOf(field);
  const conditionsOf = (label: string | undefined): readonly Condition[] => {
    if (label === undefined) return [{ field: field.name, op: 'hasnt', value: '' }];
    if (interval === undefined)
      return operators.includes('eq') ? [{ field: field.name, op: 'eq', value: label }] : [];
    const next = nextOf(label, interval);
    if (next === undefined) return [];
    return [
      { field: field.name, op: 'ge', value: label },
      { field: field.name, op: 'lt', value: next },
    ];
  };
  const narrow = (conditions: readonly Condition[]): void => {
    listing.change({ f: [...listing.conditions, ...conditions].map(writeCondition) });
  };
  return (
    <table className="chart">
      <caption className="visually-hidden">{title}</caption>
      {COLUMNS}
      <Heading names={[field.name, 'bar', title]} />
      <tbody>
        {bars.map(({ label, value, isBreak = false }) => {
          if (isBreak) return <Break key={label} text={between} />;
          const conditions = conditionsOf(label);
          const text =
            label === undefined ? (
              <em>no value</em>
            ) : (
              <Given text={labelOf(label, field.type, interval)} most={60} />
            );
          return (
            <tr key={label ?? ''}>
              <th scope="row">
                {conditions.length === 0 ? (
                  text
                ) : (
                  <button
                    type="button"
                    className="button bare"
                    onClick={() => {
                      narrow(conditions);
                    }}
                  >
                    {text}
                  </button>
                )}
              </th>
              <td>{value !== undefined && <Drawn value={value} from={from} to={to} />}</td>
              <td className="number">
                {value === undefined ? '–' : numberText(Number(value.toPrecision(6)))}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
