// A load that goes on, or has ended, while another view or tab is looked at: where it is found again.
import { type ReactNode, useState } from 'react';
import { Link, useAddress } from '../address/address.tsx';
import { useSheetLoad } from '../parts/sheet-load.ts';
import { numberText, plural } from '../parts/text.ts';
import { forgetToldLoad, isUnderWay, type ToldLoad, useToldLoads } from '../parts/told-loads.ts';
import { Given } from '../parts/value.tsx';
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

function OthersLoad({ load, onRead }: { readonly load: ToldLoad; readonly onRead: () => void }): ReactNode {
  const { id, sheetName, type, count, done } = load;
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
            The load of <Given text={sheetName} most={60} /> ended with its tab: {rows} are there. Loading it
            again changes nothing of them.{' '}
            <Link to="import" params={{ type }}>
              Import it again
            </Link>
          </span>
          <button
            type="button"
            className="button bare"
            onClick={() => {
              forgetToldLoad(id);
              onRead();
            }}
          >
            Dismiss
          </button>
        </>
      )}
    </div>
  );
}

export function LoadBar(): ReactNode {
  const { actor } = useSession();
  const own = useSheetLoad();
  const told = useToldLoads();
  const [read, setRead] = useState<ReadonlySet<string>>(new Set());
  return (
    <>
      <OwnLoad />
      {told
        .filter((load) => load.actor === actor && load.id !== own?.id && !read.has(load.id))
        .map((load) => (
          <OthersLoad
            key={load.id}
            load={load}
            onRead={() => {
              setRead(new Set([...read, load.id]));
            }}
          />
        ))}
    </>
  );
}
