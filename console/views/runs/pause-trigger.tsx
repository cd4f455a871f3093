// Pauses a trigger, with a reason, and resumes it: for those whom the server would let do it.
import { type FormEvent, type ReactNode, useState } from 'react';
import { operation } from '../../api/operation.ts';
import { ShownRequest } from '../../api/shown-requests.tsx';
import { useAction } from '../../api/use-api.ts';
import { ActionButton } from '../../frame/action-button.tsx';
import { useIsPresent } from '../../frame/in-present.tsx';
import type {
  PauseTriggerMutation,
  PauseTriggerMutationVariables,
  ResumeTriggerMutation,
  ResumeTriggerMutationVariables,
} from '../../generated/api.ts';
import { TextField } from '../../parts/form.tsx';
import { Dialog, useOpen } from '../../parts/overlays.tsx';
import { Fault } from '../../parts/states.tsx';

const PAUSE = operation<PauseTriggerMutation, PauseTriggerMutationVariables>(/* GraphQL */ `
  mutation PauseTrigger($name: ID!, $reason: String) {
    pauseTrigger(name: $name, reason: $reason) {
      status
    }
  }
`);
const RESUME = operation<ResumeTriggerMutation, ResumeTriggerMutationVariables>(/* GraphQL */ `
  mutation ResumeTrigger($name: ID!) {
    resumeTrigger(name: $name) {
      status
    }
  }
`);

interface Props {
  readonly name: string;
  readonly onDone: () => void;
}

function Pause({ name, onDone }: Props): ReactNode {
  const dialog = useOpen();
  const [reason, setReason] = useState('');
  const { run, isRunning, error, request } = useAction(PAUSE, { name, reason: reason.trim() || null });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void run().then((done) => {
      if (done === undefined) return;
      dialog.close();
      onDone();
    });
  };
  return (
    <>
      <button type="button" className="button" onClick={dialog.open}>
        Pause …
      </button>
      <Dialog title={`Pause ${name}`} isOpen={dialog.isOpen} onClose={dialog.close}>
        <ShownRequest request={request} />
        <form className="stack" onSubmit={submit}>
          <p>
            It fires only on request until it is resumed. Scheduled times, events and deliveries in the
            meantime are skipped; a polling trigger goes on from where it was. Runs that have begun go on.
          </p>
          <TextField
            id="pause-reason"
            label="Reason"
            hint="For those who find it paused."
            value={reason}
            onChange={setReason}
          />
          {error && <Fault error={error} />}
          <footer>
            <button type="button" className="button" onClick={dialog.close}>
              Cancel
            </button>
            <button type="submit" className="button first" disabled={isRunning}>
              Pause
            </button>
          </footer>
        </form>
      </Dialog>
    </>
  );
}

export const PauseTrigger = ({
  trigger: { name, status, mayPause },
  onDone,
}: {
  readonly trigger: { readonly name: string; readonly status: string; readonly mayPause: boolean };
  readonly onDone: () => void;
}): ReactNode => {
  const isPresent = useIsPresent();
  if (!mayPause || !isPresent) return null;
  return status === 'paused' ? (
    <ActionButton action={RESUME} variables={{ name }} role="project_lead" onDone={onDone}>
      Resume
    </ActionButton>
  ) : (
    <Pause name={name} onDone={onDone} />
  );
};
