// Lines over time, one for each process: drawn for the eye, and as a table for who does not see them.
import type { ReactNode } from 'react';
import { instantText } from './text.ts';

export interface TimeLine {
  readonly key: string;
  readonly name: string;
  readonly values: readonly (number | null)[];
}

interface Props {
  readonly title: string;
  readonly times: readonly string[];
  readonly lines: readonly TimeLine[];
  readonly textOf: (value: number) => string;
}

const WIDTH = 300;
const HEIGHT = 80;

/** How long a single point is drawn: less would hardly be seen. */
const POINT = 6;

/** Pieces of a line between gaps; a single point is drawn as a short line. */
function pathOf(values: readonly (number | null)[], greatest: number): string {
  const step = WIDTH / Math.max(1, values.length - 1);
  let path = '';
  let isDrawing = false;
  for (const [i, value] of values.entries()) {
    if (value === null) {
      isDrawing = false;
      continue;
    }
    const y = (HEIGHT - (HEIGHT * value) / greatest).toFixed(1);
    const isAlone = !isDrawing && typeof values[i + 1] !== 'number';
    if (isAlone) path += `M${Math.min(i * step, WIDTH - POINT).toFixed(1)} ${y}h${POINT}`;
    else path += `${isDrawing ? 'L' : 'M'}${(i * step).toFixed(1)} ${y}`;
    isDrawing = true;
  }
  return path;
}

const present = (values: readonly (number | null)[]): number[] => values.filter((value) => value !== null);

/** The last value that is not older than a tenth of the time. */
const lastOf = (values: readonly (number | null)[]): number | undefined =>
  present(values.slice(-Math.max(3, Math.ceil(values.length / 10)))).at(-1);

const Rows = ({ times, lines, textOf }: Omit<Props, 'title'>): ReactNode => (
  <table>
    <thead>
      <tr>
        <th scope="col">time</th>
        {lines.map(({ key, name }) => (
          <th key={key} scope="col">
            {name}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {times.map((time, i) => {
        const values = lines.map((line) => line.values[i] ?? null);
        return values.every((value) => value === null) ? null : (
          <tr key={time}>
            <th scope="row">{instantText(time)}</th>
            {values.map((value, n) => (
              <td key={lines[n]?.key} className="number">
                {value === null ? '' : textOf(value)}
              </td>
            ))}
          </tr>
        );
      })}
    </tbody>
  </table>
);

export function TimeChart({ title, times, lines, textOf }: Props): ReactNode {
  const all = lines.flatMap(({ values }) => present(values));
  const greatest = Math.max(...all, 0);
  const now = lines.map(({ values }) => lastOf(values)).filter((value) => value !== undefined);
  const summary =
    all.length === 0
      ? 'nothing was measured'
      : `${now.length === 0 ? '' : `now ${textOf(Math.max(...now))}, `}at most ${textOf(greatest)}`;
  return (
    <figure className="card time-chart">
      <figcaption>
        <strong>{title}</strong> <span className="quiet small">{summary}</span>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {lines.map(({ key, values }, i) => (
          <path key={key} className={`line-${i % 5}`} d={pathOf(values, greatest || 1)} />
        ))}
      </svg>
      {all.length > 0 && (
        <details>
          <summary>
            <span className="small">
              Values<span className="visually-hidden"> of {title}</span>
            </span>
          </summary>
          <div className="time-chart-values" tabIndex={0} role="region" aria-label={`Values of ${title}`}>
            <Rows times={times} lines={lines} textOf={textOf} />
          </div>
        </details>
      )}
    </figure>
  );
}
