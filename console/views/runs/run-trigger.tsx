// Runs a trigger now, for those who may.
import type { ReactNode } from 'react';
import { BeginsRun } from '../../frame/begins-run.tsx';
import { Icon } from '../../parts/icons.tsx';
import { RUN_TRIGGER } from '../../parts/run-trigger.ts';

export function RunTrigger({
  trigger: { name, mayRun },
  onDone,
}: {
  readonly trigger: { readonly name: string; readonly mayRun: boolean };
  readonly onDone: () => void;
}): ReactNode {
  if (!mayRun) return null; // such as a trigger of another project
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
