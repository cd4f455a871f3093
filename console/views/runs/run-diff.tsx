// What differs between two runs.
import type { ReactNode } from 'react';
import { Link, useAddress } from '../../address/address.tsx';
import { operation } from '../../api/operation.ts';
import { useQuery } from '../../api/use-api.ts';
import type { RunDiffQuery, RunDiffQueryVariables } from '../../generated/api.ts';
import { Differences, PART } from '../../parts/differences.tsx';
import { Empty, Shown } from '../../parts/states.tsx';
import { instantText } from '../../parts/text.ts';
import { Given } from '../../parts/value.tsx';

const RUN_DIFF = operation<RunDiffQuery, RunDiffQueryVariables>(
  /* GraphQL */ `
    query RunDiff($id: ID!, $toId: ID!) {
      runDiff(runId: $id, toRunId: $toId) {
        isComplete
        before {
          ...ComparedRun
        }
        after {
          ...ComparedRun
        }
        differences {
          ...Part
        }
      }
    }
    fragment ComparedRun on Run {
      runId
      triggerName
      adapter
      queuedAt
    }
  `,
  PART,
);
type Run = NonNullable<RunDiffQuery['runDiff']>['before'];

const Title = ({ of: { runId, triggerName, adapter, queuedAt } }: { readonly of: Run }): ReactNode => (
  <Link to="run" params={{ id: runId }}>
    <Given text={triggerName ?? adapter ?? 'submitted'} />, {instantText(queuedAt)}
  </Link>
);

export function RunDiff({ of, and }: { readonly of: string; readonly and: string }): ReactNode {
  const { at } = useAddress();
  const answer = useQuery(RUN_DIFF, { id: of, toId: and }, { at });
  return (
    <Shown answer={answer} what="the differences">
      {({ runDiff: diff }) =>
        diff === null ? (
          <Empty title="There are not both runs, or you may not see both" />
        ) : (
          <Differences
            label="Differences of the runs"
            diff={diff}
            titles={[<Title key="before" of={diff.before} />, <Title key="after" of={diff.after} />]}
          />
        )
      }
    </Shown>
  );
}
