// The steps of a refresh in their order: what has changed, and how each result is made anew, or why it cannot be.
import type { ReactNode } from 'react';
import { useAddress } from '../../address/address.tsx';
import type { RefreshPlanQuery } from '../../generated/api.ts';
import { pageIn, PageSteps } from '../../parts/page-steps.tsx';
import { StaleReasons } from '../../parts/stale-reasons.tsx';
import { membersText, messageOf } from '../../parts/text.ts';
import { EntityLink, Given } from '../../parts/value.tsx';
import { Plan, type PlanNode } from '../rules/plan.tsx';

type Step = RefreshPlanQuery['refreshPlan']['steps'][number];

const SIZE = 25;

/** Which fields it was asked for with, which say more than its id. */
function wishOf(plan: unknown): ReactNode {
  if (plan === null) return null;
  const { criteria = {} } = plan as PlanNode; // the JSON that the API makes of a plan
  return <Given text={membersText(criteria)} most={160} />;
}

const One = ({
  step: { entityId, entityType, staleness, parameters, plan, error },
}: {
  readonly step: Step;
}): ReactNode => (
  <li className="card">
    <h2>
      <EntityLink id={entityId} />{' '}
      <span className="quiet small">
        <Given text={entityType} /> {wishOf(plan)}
      </span>
    </h2>
    <StaleReasons reasons={staleness.reasons} />
    {plan === null ? (
      <p className="fault">
        It cannot be made anew: <Given text={messageOf(error)} most={500} />
      </p>
    ) : (
      <details>
        <summary>How it is made</summary>
        {JSON.stringify(parameters) !== '{}' && (
          <p>
            With <code>{JSON.stringify(parameters)}</code>, as before.
          </p>
        )}
        <Plan plan={plan} />
      </details>
    )}
  </li>
);

export function Steps({ steps }: { readonly steps: readonly Step[] }): ReactNode {
  const { params } = useAddress();
  const page = pageIn(params);
  const shown = steps.slice((page - 1) * SIZE, page * SIZE);
  return (
    <>
      <ol className="stack" aria-label="Steps" start={(page - 1) * SIZE + 1}>
        {shown.map((step) => (
          <One key={step.entityId} step={step} />
        ))}
      </ol>
      {steps.length > SIZE && <PageSteps page={page} size={SIZE} total={steps.length} count={shown.length} />}
    </>
  );
}
