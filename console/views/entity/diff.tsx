// Fields of an entity before and after something.
import type { ReactNode } from 'react';
import type { Data } from '../../api/json.ts';
import { Value } from '../../parts/value.tsx';
import type { EntityType } from './read.ts';

/** Longest text of a value. */
const MOST = 400;

interface Props {
  /** The fields that are shown. */
  readonly names: readonly string[];
  readonly before: Data;
  readonly after: Data;
  readonly type: EntityType | undefined;
}

export const Diff = ({ names, before, after, type }: Props): ReactNode => (
  <table className="diff">
    <thead>
      <tr>
        <th scope="col">Field</th>
        <th scope="col">Before</th>
        <th scope="col">After</th>
      </tr>
    </thead>
    <tbody>
      {names.map((name) => {
        const field = type?.allFields.find((one) => one.name === name);
        return (
          <tr key={name}>
            <th scope="row">
              <bdi>{name}</bdi>
            </th>
            <td className="before">
              <Value value={before[name]} field={field} most={MOST} />
            </td>
            <td className="after">
              <Value value={after[name]} field={field} most={MOST} />
            </td>
          </tr>
        );
      })}
    </tbody>
  </table>
);

/** The fields whose values differ, in the order of the schema; those that it does not have come last. */
export function differingNames(before: Data, after: Data, type: EntityType | undefined): readonly string[] {
  const known = type?.allFields.map(({ name }) => name) ?? [];
  const names = new Set([...known, ...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
}
