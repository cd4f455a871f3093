// Makes stale results anew: shows the plan first, then produces exactly that, and how far it is.
import { type ReactNode, useState } from 'react';
import { Link, useAddress, useHref } from '../../address/address.tsx';
import { operation } from '../../api/operation.ts';
import { type Answer, useAction, useQuery } from '../../api/use-api.ts';
import { useIsPresent, WriteInPresent } from '../../frame/in-present.tsx';
import { Page } from '../../frame/page.tsx';
import { useSession } from '../../frame/session.tsx';
import type {
  RefreshMutation,
  RefreshMutationVariables,
  RefreshPlanQuery,
  RefreshPlanQueryVariables,
} from '../../generated/api.ts';
import { LabelledSelect } from '../../parts/form.tsx';
import { projectFilter } from '../../parts/project-filter.ts';
import { STALE_CHANGE } from '../../parts/stale-reasons.tsx';
import { Empty, Fault, Shown } from '../../parts/states.tsx';
import { plural } from '../../parts/text.ts';
import { type RefusedResult, tellRefresh } from '../../parts/told-refresh.ts';
import { ownLast, TYPE_INFOS } from '../../parts/type-infos.ts';
import { Progress } from './progress.tsx';
import { Refused, refusedIn } from './refused.tsx';
import { Steps } from './steps.tsx';

const PLAN = operation<RefreshPlanQuery, RefreshPlanQueryVariables>(
  /* GraphQL */ `
    query RefreshPlan($entityIds: [ID!], $entityType: String, $filter: String) {
      refreshPlan(entityIds: $entityIds, entityType: $entityType, filter: $filter) {
        planHash
        isComplete
        steps {
          entityId
          entityType
          parameters
          plan
          error
          staleness {
            reasons {
              ...StaleChange
            }
          }
        }
      }
    }
  `,
  STALE_CHANGE,
);
const REFRESH = operation<RefreshMutation, RefreshMutationVariables>(/* GraphQL */ `
  mutation Refresh($entityIds: [ID!], $entityType: String, $filter: String, $planHash: String) {
    refresh(entityIds: $entityIds, entityType: $entityType, filter: $filter, planHash: $planHash) {
      requestId
      plan {
        steps {
          entityId
          error
        }
      }
      productions {
        id
      }
    }
  }
`);

/** Which results: those with an id in the address, or those of a type and of the chosen project. */
function useSelected(): RefreshPlanQueryVariables {
  const { params, project } = useAddress();
  const ids = params.getAll('id');
  if (ids.length > 0) return { entityIds: ids };
  return {
    entityType: params.get('type'),
    filter: project === undefined ? null : projectFilter(project),
  };
}

function Begin({
  answer,
  selected,
}: {
  readonly answer: Answer<RefreshPlanQuery>;
  readonly selected: RefreshPlanQueryVariables;
}): ReactNode {
  const { actor, is } = useSession();
  const { go } = useAddress();
  const href = useHref();
  const { planHash, steps = [] } = answer.data?.refreshPlan ?? {};
  const count = steps.filter(({ plan }) => plan !== null).length;
  const mayRefresh = useIsPresent() && is('analyst') && count > 0 && !answer.isLoading;
  const { run, isRunning, error } = useAction(REFRESH, mayRefresh ? { ...selected, planHash } : undefined);
  const [refused, setRefused] = useState<readonly RefusedResult[]>([]);
  if (!is('analyst')) return <p className="quiet">Making them anew needs the role analyst.</p>;
  return (
    <>
      {error && <Fault error={error} onRetry={answer.reload} />}
      {refused.length > 0 && (
        <Refused
          refused={refused}
          onRetry={() => {
            setRefused([]);
            answer.reload();
          }}
        />
      )}
      <div>
        <button
          type="button"
          className="button first"
          disabled={!mayRefresh || isRunning}
          onClick={() => {
            setRefused([]);
            void run().then((done) => {
              if (done === undefined) return;
              const { requestId, productions, plan } = done.refresh;
              const left = refusedIn(plan.steps);
              setRefused(left);
              if (productions.length === 0) return;
              tellRefresh(actor, requestId, left);
              go(href('refresh', { request: requestId }));
            });
          }}
        >
          {isRunning ? 'Beginning …' : `Make ${plural(count, 'result')} anew`}
        </button>
      </div>
    </>
  );
}

function TypeChoice(): ReactNode {
  const { params, set } = useAddress();
  const types = useQuery(TYPE_INFOS, {});
  return (
    <LabelledSelect
      id="refresh-type"
      label="Type"
      none="any"
      value={params.get('type') ?? ''}
      choices={ownLast(types.data?.schemas ?? []).map(({ name }) => name)}
      onChange={(type) => {
        set({ type, page: undefined });
      }}
    />
  );
}

function Plan(): ReactNode {
  const selected = useSelected();
  const answer = useQuery(PLAN, selected);
  const isSome = (selected.entityIds ?? []).length > 0;
  return (
    <>
      {isSome ? (
        <p>
          <Link to="refresh">All stale results</Link>
        </p>
      ) : (
        <TypeChoice />
      )}
      <Shown answer={answer} what="the plan">
        {({ refreshPlan: { steps, isComplete } }) =>
          steps.length === 0 ? (
            <Empty title={isComplete ? 'Nothing is stale' : 'Nothing stale was found so far'}>
              <p>
                {isComplete
                  ? 'What was made is what would be made now.'
                  : 'What has changed is still being looked at: look again.'}
              </p>
              <button type="button" className="button" onClick={answer.reload}>
                Look again
              </button>
            </Empty>
          ) : (
            <>
              <Begin answer={answer} selected={selected} />
              {!isComplete && (
                <p className="notice">There are more, or may be: refresh again when these are made.</p>
              )}
              <Steps steps={steps} />
            </>
          )
        }
      </Shown>
    </>
  );
}

export default function Refresh(): ReactNode {
  const { params } = useAddress();
  const request = params.get('request');
  return (
    <Page
      crumb={<Link to="">Home</Link>}
      title={request === null ? 'Stale results' : 'Stale results made anew'}
      about={
        request === null
          ? 'What would no longer be made as it was, and how it is made anew. Nothing is made before you say so.'
          : undefined
      }
    >
      {request === null ? (
        <WriteInPresent what="A refresh">
          <Plan />
        </WriteInPresent>
      ) : (
        <Progress key={request} request={request} />
      )}
    </Page>
  );
}
