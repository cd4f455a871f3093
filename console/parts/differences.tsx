// Two versions of a definition beside each other: what was added, removed and changed.
import type { ReactNode } from 'react';
import { Empty } from './states.tsx';
import { differences } from './json-differences.ts';
import { lineDifferences } from './line-differences.ts';
import { cut } from './text.ts';

/** Longest text of a value. */
const MOST = 600;

const Told = ({ value }: { readonly value: unknown }): ReactNode =>
  value === undefined ? (
    <span className="quiet">–</span>
  ) : (
    <code>
      <bdi>{cut(typeof value === 'string' ? value : JSON.stringify(value), MOST)}</bdi>
    </code>
  );

export function Differences({
  label,
  before,
  after,
}: {
  readonly label: string;
  readonly before: unknown;
  readonly after: unknown;
}): ReactNode {
  const found = differences(before, after);
  if (found.length === 0) return <Empty title="They are the same" />;
  return (
    <div className="tablebox" role="region" aria-label={label} tabIndex={0}>
      <table className="diff">
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {found.map(({ path, before: was, after: is }) => (
            <tr key={path}>
              <th scope="row">
                <bdi>{path}</bdi>
              </th>
              <td className="before">
                <Told value={was} />
              </td>
              <td className="after">
                <Told value={is} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const SIGNS = { same: ' ', added: '+', removed: '-' } as const;

/** Two texts as lines with their signs. */
export function TextDifferences({
  label,
  before,
  after,
}: {
  readonly label: string;
  readonly before: string;
  readonly after: string;
}): ReactNode {
  const lines = lineDifferences(before, after);
  if (lines === undefined) return <p className="quiet">The texts are too long to be compared here.</p>;
  return (
    <pre className="code lines" tabIndex={0} role="region" aria-label={label}>
      {lines.map(({ kind, text }, i) => (
        // positions are what tells equal lines apart
        <span key={i} className={kind}>
          {`${SIGNS[kind]} ${text}\n`}
        </span>
      ))}
    </pre>
  );
}
