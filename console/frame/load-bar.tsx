// Work that goes on, or has ended, while another view or tab is looked at: where it is found again.
import type { ReactNode } from 'react';
import { Link, useAddress } from '../address/address.tsx';
import { useSheetLoad } from '../parts/sheet-load.ts';
import { forgetVerification, isVerifiedElsewhere, useVerification } from '../parts/store-verification.ts';
import { numberText, plural } from '../parts/text.ts';
import { forgetToldLoad, isUnderWay, type ToldLoad, useToldLoads } from '../parts/told-loads.ts';
import { Given } from '../parts/value.tsx';
import { RefreshBar } from './refresh-bar.tsx';
import { useSession } from './session.tsx';

function OwnLoad(): ReactNode {
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

function OthersLoad({ load }: { readonly load: ToldLoad }): ReactNode {
  const { id, sheetName, type, count, done, hasIds } = load;
  const rows = `${numberText(done)} of ${plural(count, 'row')}`;
  return (
    <div className="past" role="status">
      {isUnderWay(load) ? (
        <span>
          <Given text={sheetName} most={60} /> is being loaded in another tab: {rows}.
        </span>
      ) : (
        <>
          <span>
            The load of <Given text={sheetName} most={60} /> ended before its time: {rows} are there.
            {hasIds && ' Loading it again changes nothing of them.'}{' '}
            <Link to="import" params={{ type }}>
              Go on with the same file
            </Link>
          </span>
          <button
            type="button"
            className="button bare"
            onClick={() => {
              forgetToldLoad(id);
            }}
          >
            Dismiss
          </button>
        </>
      )}
    </div>
  );
}

function VerificationBar(): ReactNode {
  const { actor } = useSession();
  const { view, params } = useAddress();
  const state = useVerification();
  const { verification, isRunning } = state;
  const isShown = view === 'admin' && params.get('tab') === 'store';
  if (verification === undefined || verification.actor !== actor || isShown) return null;
  const { checked, files, missing, damaged, isDone } = verification;
  const faults = missing.length + damaged.length;
  const ended = isDone ? 'The stored files were verified' : 'The verification of stored files stopped';
  const goesOn = isRunning || isVerifiedElsewhere(state);
  const said = goesOn ? 'The stored files are being verified' : ended;
  return (
    <div className="past" role="status">
      <span>
        {said}: {numberText(checked)} of {plural(Math.max(files, checked), 'file')}
        {faults > 0 && `, ${numberText(faults)} missing or damaged`}.{' '}
        <Link to="admin" params={{ tab: 'store' }}>
          Look at it
        </Link>
      </span>
      {!goesOn && (
        <button type="button" className="button bare" onClick={forgetVerification}>
          Dismiss
        </button>
      )}
    </div>
  );
}

export function LoadBar(): ReactNode {
  const { actor } = useSession();
  const own = useSheetLoad();
  const told = useToldLoads();
  return (
    <>
      <OwnLoad />
      <VerificationBar />
      <RefreshBar />
      {told
        .filter((load) => load.actor === actor && load.id !== own?.id)
        .map((load) => (
          <OthersLoad key={load.id} load={load} />
        ))}
    </>
  );
}
