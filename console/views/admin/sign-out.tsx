// Ends what somebody is signed in with: one sign-in, or all of them.
import type { ReactNode } from 'react';
import { operation } from '../../api/operation.ts';
import { useAction } from '../../api/use-api.ts';
import { useSession } from '../../frame/session.tsx';
import type {
  EndSignInMutation,
  EndSignInMutationVariables,
  SignOutEverywhereMutation,
  SignOutEverywhereMutationVariables,
} from '../../generated/api.ts';
import { Confirm, useOpen } from '../../parts/overlays.tsx';
import { Fault } from '../../parts/states.tsx';
import { Given } from '../../parts/value.tsx';

const SIGN_OUT_EVERYWHERE = operation<SignOutEverywhereMutation, SignOutEverywhereMutationVariables>(
  /* GraphQL */ `
    mutation SignOutEverywhere($actor: String!) {
      signOutEverywhere(actor: $actor) {
        browsers
        tokens
      }
    }
  `,
);
const END_SIGN_IN = operation<EndSignInMutation, EndSignInMutationVariables>(/* GraphQL */ `
  mutation EndSignIn($id: ID!) {
    endSignIn(id: $id) {
      browsers
      tokens
    }
  }
`);

export function SignOutEverywhere({
  actor,
  onDone,
}: {
  readonly actor: string;
  readonly onDone: () => void;
}): ReactNode {
  const session = useSession();
  const { isOpen, open, close } = useOpen();
  const action = useAction(SIGN_OUT_EVERYWHERE, { actor });
  const isOwn = session.actor === actor;
  return (
    <>
      <button type="button" className="button danger" onClick={open}>
        Sign out everywhere{!isOwn && <span className="visually-hidden"> {actor}</span>}
      </button>
      <Confirm
        title={isOwn ? 'Sign out everywhere?' : 'Sign this user out everywhere?'}
        action="Sign out"
        isOpen={isOpen}
        of={action}
        onClose={close}
        onDone={() => {
          close();
          if (isOwn) session.end();
          else onDone();
        }}
      >
        <p>
          Every browser and device of{' '}
          <strong>
            <Given text={actor} />
          </strong>
          {isOwn && ', this one too,'} has to sign in again. API keys stay: revoke them one by one.
        </p>
      </Confirm>
    </>
  );
}

export function EndSignIn({
  id,
  what,
  onDone,
}: {
  readonly id: string;
  /** What it is, for those who do not see the row. */
  readonly what: string;
  readonly onDone: () => void;
}): ReactNode {
  const { run, isRunning, error } = useAction(END_SIGN_IN, { id });
  return (
    <>
      <button
        type="button"
        className="button danger"
        disabled={isRunning}
        onClick={() => {
          void run().then((done) => {
            if (done) onDone();
          });
        }}
      >
        End<span className="visually-hidden"> {what}</span>
      </button>
      {error && <Fault error={error} />}
    </>
  );
}
