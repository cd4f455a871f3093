// Steps through the pages of a list whose length is known; the page is in the address.
import type { ReactNode } from 'react';
import { useAddress } from '../address/address.tsx';
import { numberText } from './text.ts';

interface Props {
  readonly page: number;
  readonly size: number;
  readonly total: number;
  /** How many there are on this page. */
  readonly count: number;
}

export function PageSteps({ page, size, total, count }: Props): ReactNode {
  const { set } = useAddress();
  const from = (page - 1) * size + 1;
  const step = (to: number) => (): void => {
    set({ page: to === 1 ? undefined : String(to) });
  };
  return (
    <nav aria-label="Pages" className="row apart">
      <p className="quiet" role="status">
        {numberText(from)} to {numberText(from + count - 1)} of {numberText(total)}
      </p>
      <div className="row">
        <button type="button" className="button" disabled={page === 1} onClick={step(page - 1)}>
          Previous
        </button>
        <button type="button" className="button" disabled={page * size >= total} onClick={step(page + 1)}>
          Next
        </button>
      </div>
    </nav>
  );
}
