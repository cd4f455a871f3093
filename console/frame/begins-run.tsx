// A button that begins a run, and leads to it.
import type { ReactNode } from 'react';
import { useAddress, useHref } from '../address/address.tsx';
import type { Operation } from '../api/operation.ts';
import { ActionButton } from './action-button.tsx';

export function BeginsRun<Data, Variables>({
  action,
  variables,
  runOf,
  onDone,
  children,
}: {
  readonly action: Operation<Data, Variables>;
  readonly variables: Variables;
  /** The id of the run; null if none has begun. */
  readonly runOf: (done: Data) => string | null | undefined;
  readonly onDone: () => void;
  readonly children: ReactNode;
}): ReactNode {
  const { go } = useAddress();
  const href = useHref();
  return (
    <ActionButton
      action={action}
      variables={variables}
      role="analyst"
      onDone={(done) => {
        onDone();
        const run = done ? runOf(done) : null;
        if (run) go(href('run', { id: run }));
      }}
    >
      {children}
    </ActionButton>
  );
}
