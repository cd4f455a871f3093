// Fields of an entity before and after something.
import type { ReactNode } from 'react';
import type { Data } from '../../api/json.ts';
import { Value } from '../../parts/value.tsx';
import type { FieldKind } from '../../parts/field-kind.ts';

/** Longest text of a value. */
const MOST = 400;

interface Props {
  /** The fields that are shown. */
  readonly names: readonly string[];
  readonly before: Data;
  readonly after: Data;
  readonly type: { readonly allFields: readonly FieldKind[] } | undefined;
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

interface FieldDifference {
  readonly field: string;
  readonly kind: 'ADDED' | 'REMOVED' | 'CHANGED';
  readonly before: unknown;
  readonly after: unknown;
}

/** Differences as the API tells them, as the two states: a field that one does not have is not in it. */
export const statesOf = (
  differences: readonly FieldDifference[],
): Pick<Props, 'names' | 'before' | 'after'> => ({
  names: differences.map(({ field }) => field),
  before: Object.fromEntries(
    differences.flatMap(({ field, kind, before }) => (kind === 'ADDED' ? [] : [[field, before]])),
  ),
  after: Object.fromEntries(
    differences.flatMap(({ field, kind, after }) => (kind === 'REMOVED' ? [] : [[field, after]])),
  ),
});
