// What there is in the present only: actions, which are not offered while an earlier time is shown, and what the API does
// not know of the past.
import type { ReactNode } from 'react';
import { useAddress } from '../address/address.tsx';
import { Empty } from '../parts/states.tsx';

/** Whether the present is shown. */
export const useIsPresent = (): boolean => useAddress().at === undefined;

/** Offers something in the present only. */
export const InPresent = ({ children }: { readonly children: ReactNode }): ReactNode =>
  useIsPresent() ? children : null;

/** Says of something below that it is not as of the chosen time; nothing in the present. */
export const OfNow = ({ what }: { readonly what: string }): ReactNode =>
  useIsPresent() ? null : (
    <p className="notice" role="note">
      {what} of the present: what was known then is not kept.
    </p>
  );

/** Leads from an earlier time to the present. */
export function ToPresent({ isFirst = false }: { readonly isFirst?: boolean }): ReactNode {
  const { set } = useAddress();
  return (
    <button
      type="button"
      className={isFirst ? 'button first' : 'button'}
      onClick={() => {
        set({ at: undefined });
      }}
    >
      Go to the present
    </button>
  );
}

/** For a view that only changes something. */
export function WriteInPresent({
  what,
  children,
}: {
  /** What is done there, as `An import`. */
  readonly what: string;
  readonly children: ReactNode;
}): ReactNode {
  if (useIsPresent()) return children;
  return (
    <Empty title="The past cannot be changed">
      <p>You see an earlier time. {what} is of the present.</p>
      <ToPresent isFirst />
    </Empty>
  );
}
