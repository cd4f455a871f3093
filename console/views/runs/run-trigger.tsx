// Runs a trigger now, for those who may.
import type { ReactNode } from 'react';
import { operation } from '../../api/operation.ts';
import { BeginsRun } from '../../frame/begins-run.tsx';
import type { RunTriggerMutation, RunTriggerMutationVariables } from '../../generated/api.ts';
import { Icon } from '../../parts/icons.tsx';

const RUN_TRIGGER = operation<RunTriggerMutation, RunTriggerMutationVariables>(/* GraphQL */ `
  mutation RunTrigger($name: ID!) {
    runTrigger(name: $name) {
      runId
    }
  }
`);

export function RunTrigger({
  name,
  onDone,
}: {
  readonly name: string;
  readonly onDone: () => void;
}): ReactNode {
  return (
    <BeginsRun
      action={RUN_TRIGGER}
      variables={{ name }}
      runOf={({ runTrigger }) => runTrigger.runId}
      onDone={onDone}
    >
      <Icon name="play" />
      Run<span className="visually-hidden"> {name} now</span>
    </BeginsRun>
  );
}
