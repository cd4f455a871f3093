// A plan as a tree: what is reused, fetched or built, and why.
import type { ReactNode } from 'react';
import { Status } from '../../parts/status.tsx';
import { EntityLink, Given } from '../../parts/value.tsx';

/** A node as docs/reference/artifact.md describes it. */
export interface PlanNode {
  readonly entity_type: string;
  readonly criteria?: Readonly<Record<string, unknown>>;
  readonly decision: string;
  readonly entity_id?: string | null;
  readonly rule?: string | null;
  readonly reason?: string;
  readonly repeated?: boolean;
  readonly requires?: readonly PlanNode[];
  readonly rules_considered?: readonly {
    readonly rule: string;
    readonly chosen: boolean;
    readonly reason: string;
  }[];
}

const Considered = ({ of }: { readonly of: NonNullable<PlanNode['rules_considered']> }): ReactNode => (
  <details>
    <summary className="small">{of.length} rules considered</summary>
    <ul className="small">
      {of.map(({ rule, chosen, reason }) => (
        <li key={rule}>
          <code>{rule}</code> {chosen && <strong>chosen</strong>} <Given text={reason} />
        </li>
      ))}
    </ul>
  </details>
);

function Step({ node }: { readonly node: PlanNode }): ReactNode {
  const { entity_type: type, criteria = {}, decision, entity_id: id, rule, reason = '', repeated } = node;
  const { requires = [], rules_considered: considered = [] } = node;
  return (
    <li>
      <p className="row">
        <Status of={decision} />
        <strong>
          <Given text={type} />
        </strong>
        {id ? <EntityLink id={id} /> : <code>{JSON.stringify(criteria)}</code>}
        {rule && (
          <span className="quiet">
            by <code>{rule}</code>
          </span>
        )}
        {repeated === true && <span className="quiet">as above</span>}
      </p>
      <p className="quiet small">
        <Given text={reason} />
      </p>
      {considered.length > 1 && <Considered of={considered} />}
      {requires.length > 0 && (
        <ul>
          {requires.map((one, i) => (
            <Step key={i} node={one} />
          ))}
        </ul>
      )}
    </li>
  );
}

export const Plan = ({ plan }: { readonly plan: unknown }): ReactNode => (
  <ul className="tree card" aria-label="Plan">
    <Step node={plan as PlanNode /* the JSON that the API makes of a plan */} />
  </ul>
);
