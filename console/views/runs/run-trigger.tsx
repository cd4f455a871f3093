// Runs a trigger now, for those who may.
import type { ReactNode } from 'react';
import { useAddress, useHref } from '../../address/address.tsx';
import { operation } from '../../api/operation.ts';
import { ActionButton } from '../../frame/action-button.tsx';
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
  const { go } = useAddress();
  const href = useHref();
  return (
    <ActionButton
      action={RUN_TRIGGER}
      variables={{ name }}
      role="analyst"
      onDone={(started) => {
        onDone();
        if (started) go(href('run', { id: started.runTrigger.runId }));
      }}
    >
      <Icon name="play" />
      Run<span className="visually-hidden"> {name} now</span>
    </ActionButton>
  );
}
