// Runs a trigger now, for those who may.
import type { ReactNode } from 'react';
import { useAddress, useHref } from '../../address/address.tsx';
import { operation } from '../../api/operation.ts';
import { useAction } from '../../api/use-api.ts';
import { useSession } from '../../frame/session.tsx';
import type { RunTriggerMutation, RunTriggerMutationVariables } from '../../generated/api.ts';
import { Icon } from '../../parts/icons.tsx';
import { Fault } from '../../parts/states.tsx';

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
  const { is } = useSession();
  const { go } = useAddress();
  const href = useHref();
  const { run, isRunning, error } = useAction(RUN_TRIGGER);
  if (!is('analyst')) return null;
  return (
    <>
      <button
        type="button"
        className="button"
        disabled={isRunning}
        onClick={() => {
          void run({ name }).then((started) => {
            onDone();
            if (started) go(href('run', { id: started.runTrigger.runId }));
          });
        }}
      >
        <Icon name="play" />
        Run<span className="visually-hidden"> {name} now</span>
      </button>
      {error && <Fault error={error} />}
    </>
  );
}
