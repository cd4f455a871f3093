// What differs between two things, as the API tells it: their values side by side, part by part.
import type { ReactNode } from 'react';
import type { PartFragment } from '../generated/api.ts';
import { Empty } from './states.tsx';
import { lineDifferences } from './line-differences.ts';
import { cut } from './text.ts';

export const PART = /* GraphQL */ `
  fragment Part on PartDifference {
    path
    kind
    before
    after
  }
`;

/** Longest text of a value. */
const MOST = 600;

const Told = ({ value, isThere }: { readonly value: unknown; readonly isThere: boolean }): ReactNode =>
  isThere ? (
    <code>
      <bdi>{cut(typeof value === 'string' ? value : JSON.stringify(value), MOST)}</bdi>
    </code>
  ) : (
    <span className="quiet">–</span>
  );

interface Props {
  readonly label: string;
  readonly diff: {
    readonly isComplete: boolean;
    readonly differences: readonly PartFragment[];
  };
  /** What the two things are called. */
  readonly titles?: readonly [ReactNode, ReactNode];
}

export function Differences({
  label,
  diff: { differences, isComplete },
  titles = ['Before', 'After'],
}: Props): ReactNode {
  if (differences.length === 0) return <Empty title="They are the same" />;
  return (
    <>
      <div className="tablebox" role="region" aria-label={label} tabIndex={0}>
        <table className="diff">
          <thead>
            <tr>
              <th scope="col">What</th>
              <th scope="col">{titles[0]}</th>
              <th scope="col">{titles[1]}</th>
            </tr>
          </thead>
          <tbody>
            {differences.map(({ path, kind, before, after }) => (
              <tr key={JSON.stringify(path)}>
                <th scope="row">
                  <bdi>{cut(path.join('.'), MOST)}</bdi>
                </th>
                <td className="before">
                  <Told value={before} isThere={kind !== 'ADDED'} />
                </td>
                <td className="after">
                  <Told value={after} isThere={kind !== 'REMOVED'} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {!isComplete && <p className="quiet">There are more differences: these are the first.</p>}
    </>
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
