// A load that goes on, or has ended, while another view is looked at: where it is found again.
import type { ReactNode } from 'react';
import { Link, useAddress } from '../address/address.tsx';
import { useSheetLoad } from '../parts/sheet-load.ts';
import { numberText, plural } from '../parts/text.ts';
import { Given } from '../parts/value.tsx';

export function LoadBar(): ReactNode {
  const { view } = useAddress();
  const load = useSheetLoad();
  if (load === undefined || view === 'import') return null;
  const {
    task: { sheetName, count },
    progress: { done, isRunning, error },
  } = load;
  const ended = error === undefined && done === count ? 'was loaded' : 'was not loaded to its end';
  return (
    <div className="past" role="status">
      <span>
        <Given text={sheetName} most={60} />{' '}
        {isRunning ? `is being loaded: ${numberText(done)} of ${plural(count, 'row')}` : ended}.{' '}
        <Link to="import">Look at it</Link>
      </span>
    </div>
  );
}
