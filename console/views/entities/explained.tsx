// How entities are found, or groups of them computed: what the database evaluates, and by which indexes.
import type { ReactNode } from 'react';
import type { HowFoundFragment } from '../../generated/api.ts';

export const HOW_FOUND = /* GraphQL */ `
  fragment HowFound on FilterExplanation {
    pushed
    left
    reasons
    readsTable
    servedBy {
      name
      why
    }
  }
`;

const Terms = ({ title, terms }: { readonly title: string; readonly terms: readonly string[] }): ReactNode =>
  terms.length === 0 ? null : (
    <>
      <dt>{title}</dt>
      <dd>
        <ul>
          {terms.map((term) => (
            <li key={term}>
              <code>{term}</code>
            </li>
          ))}
        </ul>
      </dd>
    </>
  );

export function Explained({
  told: { pushed, left, reasons, readsTable, servedBy },
}: {
  readonly told: HowFoundFragment;
}): ReactNode {
  return (
    <dl className="facts">
      <Terms title="By the database" terms={pushed} />
      <Terms title="Entity by entity" terms={left} />
      {reasons.length > 0 && (
        <>
          <dt>Because</dt>
          <dd>{reasons.join('; ')}</dd>
        </>
      )}
      <dt>Index</dt>
      <dd>
        {servedBy.length === 0 && (readsTable ? 'none: the whole table is read' : 'none needed')}
        <ul>
          {servedBy.map(({ name, why }) => (
            <li key={name}>
              <code>{name}</code> <span className="quiet">{why}</span>
            </li>
          ))}
        </ul>
      </dd>
    </dl>
  );
}
