// One instant for all views: chosen here, kept in the address, and told by a bar.
import { type FormEvent, type ReactNode, useState } from 'react';
import { TextField } from '../parts/form.tsx';
import { Icon } from '../parts/icons.tsx';
import { Dialog } from '../parts/overlays.tsx';
import { fieldOf, instantOfField, instantText, isInstant } from '../parts/text.ts';
import { useAddress } from '../address/address.tsx';
import { useFrameDialog } from './frame-dialogs.tsx';

/** Whether a view shows what the API does not know as of a time; parts of other views say so themselves. */
function isOfThePresent(view: string, params: URLSearchParams): boolean {
  return view === 'admin' && params.get('tab') !== 'measurements';
}

const PAST = [
  ['An hour ago', 3_600_000],
  ['Yesterday', 86_400_000],
  ['A week ago', 604_800_000],
] as const;

function Choose({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { at, set } = useAddress();
  const [first] = useState(() => at ?? new Date().toISOString());
  const [typed, setTyped] = useState(fieldOf(first));
  const choose = (instant: string): void => {
    set({ at: instant, page: undefined, row: undefined });
    onClose();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const instant = instantOfField(typed, first);
    if (instant !== undefined) choose(instant);
  };
  return (
    <form className="stack" onSubmit={submit}>
      <p>Every view shows what was known at that moment. Nothing can be changed there.</p>
      <TextField
        id="instant"
        label="Date and time"
        type="datetime-local"
        step="1"
        required
        value={typed}
        onChange={setTyped}
      />
      <div className="row">
        {PAST.map(([text, ms]) => (
          <button
            key={text}
            type="button"
            className="button"
            onClick={() => {
              choose(new Date(Date.now() - ms).toISOString());
            }}
          >
            {text}
          </button>
        ))}
      </div>
      <footer>
        <button type="submit" className="button first">
          Show this moment
        </button>
      </footer>
    </form>
  );
}

export function TimeControl(): ReactNode {
  const { isOpen, open, close } = useFrameDialog('time');
  return (
    <>
      <button type="button" className="button bare" onClick={open}>
        <Icon name="clock" />
        <span className="label">Time</span>
        <span className="visually-hidden"> shown by all views</span>
      </button>
      <Dialog title="Look at the past" isOpen={isOpen} onClose={close}>
        <Choose onClose={close} />
      </Dialog>
    </>
  );
}

export function TimeBar(): ReactNode {
  const { at, view, params, set } = useAddress();
  if (at === undefined || !isInstant(at)) return null;
  return (
    <div className="past" role="status">
      <span>
        {isOfThePresent(view, params)
          ? `This view shows the present; others show ${instantText(at)}.`
          : `You see ${instantText(at)}.`}
      </span>
      <button
        type="button"
        className="button bare"
        onClick={() => {
          set({ at: undefined, page: undefined, row: undefined });
        }}
      >
        Back to the present
      </button>
    </div>
  );
}
