// A button that does one thing on the server, and says so where it fails.
import type { ReactNode } from 'react';
import type { Operation } from '../api/operation.ts';
import { useAction } from '../api/use-api.ts';
import { Fault } from '../parts/states.tsx';
import { useIsPresent } from './in-present.tsx';
import { useSession } from './session.tsx';

interface Props<Data, Variables> {
  readonly action: Operation<Data, Variables>;
  readonly variables: Variables;
  /** It is not offered to those who have less, nor while an earlier time is shown. */
  readonly role: Parameters<ReturnType<typeof useSession>['is']>[0];
  readonly isDanger?: boolean;
  /** Called in either case; with data where it succeeded. */
  readonly onDone: (data: Data | undefined) => void;
  readonly children: ReactNode;
}

export function ActionButton<Data, Variables>({
  action,
  variables,
  role,
  isDanger = false,
  onDone,
  children,
}: Props<Data, Variables>): ReactNode {
  const { is } = useSession();
  const isOffered = useIsPresent() && is(role);
  const { run, isRunning, error } = useAction(action, isOffered ? variables : undefined);
  if (!isOffered) return null;
  return (
    <>
      <button
        type="button"
        className={`button${isDanger ? ' danger' : ''}`}
        disabled={isRunning}
        onClick={() => {
          void run().then(onDone);
        }}
      >
        {children}
      </button>
      {error && <Fault error={error} />}
    </>
  );
}
