// Runs a trigger now, for those who may.
import type { ReactNode } from 'react';
import { BeginsRun } from '../../frame/begins-run.tsx';
import { Icon } from '../../parts/icons.tsx';
import { RUN_TRIGGER } from '../../parts/run-trigger.ts';

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
