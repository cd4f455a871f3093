// A plan as a tree: what is reused, fetched or built, and why.
import type { ReactNode } from 'react';
import { Link } from '../../address/address.tsx';
import { isData } from '../../api/json.ts';
import { Status } from '../../parts/status.tsx';
import { membersText, plural } from '../../parts/text.ts';
import { EntityLink, Given } from '../../parts/value.tsx';

/** A node as docs/reference/artifact.md describes it. */
export interface PlanNode {
  readonly entity_type: string;
  readonly criteria?: Readonly<Record<string, unknown>>;
  readonly decision: string;
  readonly entity_id?: string | null;
  readonly rule?: string | null;
  readonly reason?: string;
  readonly nearest_id?: string;
  readonly repeated?: boolean;
  readonly requires?: readonly PlanNode[];
  readonly rules_considered?: readonly Verdict[];
}

interface Verdict {
  /** `name@n`. */
  readonly rule: string;
  readonly chosen: boolean;
  readonly reason: string;
}

export function RuleLink({ of }: { readonly of: string }): ReactNode {
  const [, name = of, version] = /^(.*)@(\d+)$/.exec(of) ?? [];
  return (
    <Link to="rule" params={{ name, version }}>
      <Given text={of} />
    </Link>
  );
}

const NEAREST = 'nearest is ';

/** Where a text names something, and not a longer name that contains it; -1 for nowhere. */
function placeOf(name: string, text: string): number {
  const near = text.indexOf(NEAREST + name);
  if (near >= 0) return near + NEAREST.length;
  const quoted = name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const inside = String.raw`[\p{L}\p{N}_@-]`;
  return text.search(
    new RegExp(String.raw`(?<!${inside}|[:./])${quoted}(?!${inside}|[:./][\p{L}\p{N}_])`, 'u'),
  );
}

/** A reason, with ways to the entity and to the rule that it names. */
function Reason({
  text,
  entity,
  rule,
}: {
  readonly text: string;
  readonly entity: string | null | undefined;
  readonly rule?: string | null | undefined;
}): ReactNode {
  const [name, link] = entity
    ? [entity, <EntityLink key="entity" id={entity} />]
    : [rule, rule ? <RuleLink of={rule} /> : null];
  const at = name ? placeOf(name, text) : -1;
  if (!name || at < 0)
    return entity ? <Reason text={text} entity={null} rule={rule} /> : <Given text={text} />;
  const after = text.slice(at + name.length);
  return (
    <>
      {at > 0 && <Given text={text.slice(0, at)} />}
      {link}
      {entity ? <Reason text={after} entity={null} rule={rule} /> : <Given text={after} />}
    </>
  );
}

/** How the nearest one was made, where it was. */
const Nearest = ({ id }: { readonly id: string }): ReactNode => (
  <Link to="entity" params={{ id, tab: 'made-by' }}>
    How the nearest was made
  </Link>
);

const Considered = ({ of }: { readonly of: NonNullable<PlanNode['rules_considered']> }): ReactNode => (
  <details>
    <summary className="small">{plural(of.length, 'rule')} considered</summary>
    <ul className="small">
      {of.map(({ rule, chosen, reason }) => (
        <li key={rule}>
          <RuleLink of={rule} /> {chosen && <strong>chosen</strong>} <Given text={reason} />
        </li>
      ))}
    </ul>
  </details>
);

function Step({ node }: { readonly node: PlanNode }): ReactNode {
  const { entity_type: type, criteria = {}, decision, entity_id: id, rule, reason = '', repeated } = node;
  const { nearest_id: nearest, requires = [], rules_considered: considered = [] } = node;
  return (
    <li>
      <p className="row">
        <Status of={decision} />
        <strong>
          <Given text={type} />
        </strong>
        {id ? <EntityLink id={id} /> : <Given text={membersText(criteria)} />}
        {rule && (
          <span className="quiet">
            by <RuleLink of={rule} />
          </span>
        )}
        {repeated === true && <span className="quiet">as above</span>}
      </p>
      <p className="quiet small">
        <Reason text={reason} entity={id ?? nearest} rule={rule} />{' '}
        {nearest !== undefined && <Nearest id={nearest} />}
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

/** What there is instead of a plan where no rule makes it: the nearest that is stored, and why no rule does. */
export function NoPlan({ details }: { readonly details: Readonly<Record<string, unknown>> }): ReactNode {
  const { nearest_id: id, rules_considered: considered } = details;
  if (!Array.isArray(considered)) return null;
  const verdicts = considered.filter(isData) as unknown as readonly Verdict[]; // as the API makes them
  if (typeof id !== 'string' && verdicts.length === 0) return null;
  return (
    <section className="card" aria-label="Why there is no plan">
      {typeof id === 'string' && (
        <p>
          The nearest that is stored: <EntityLink id={id} />. <Nearest id={id} />
        </p>
      )}
      {verdicts.length > 0 && <Considered of={verdicts} />}
    </section>
  );
}

export const Plan = ({ plan }: { readonly plan: unknown }): ReactNode => (
  <ul className="tree card" aria-label="Plan">
    <Step node={plan as PlanNode /* the JSON that the API makes of a plan */} />
  </ul>
);
