// Stale results that are being made anew, while another view is looked at.
import type { ReactNode } from 'react';
import { Link, useAddress } from '../address/address.tsx';
import { numberText, plural } from '../parts/text.ts';
import { endedOf, forgetRefresh, useRefreshProgress, useToldRefresh } from '../parts/told-refresh.ts';
import { useSession } from './session.tsx';

export function RefreshBar(): ReactNode {
  const { actor } = useSession();
  const { view, params } = useAddress();
  const request = useToldRefresh(actor);
  const isShown = view === 'refresh' && params.get('request') === request;
  const { data } = useRefreshProgress(isShown ? undefined : request, { quiet: true });
  // another server's, or one that was begun anew
  const isUnknown = data?.all.total === 0;
  if (request === undefined || isShown || data === undefined || isUnknown) return null;
  const [ended, all] = [endedOf(data), data.all.total];
  const others = data.failed.total + data.cancelled.total;
  return (
    <div className="past" role="status">
      <span>
        {ended < all
          ? `Stale results are being made anew: ${numberText(ended)} of ${numberText(all)}`
          : `${plural(data.completed.total, 'stale result was', 'stale results were')} made anew`}
        {others > 0 && `, ${numberText(others)} not`}.{' '}
        <Link to="refresh" params={{ request }}>
          Look at it
        </Link>
      </span>
      {ended >= all && (
        <button type="button" className="button bare" onClick={forgetRefresh}>
          Dismiss
        </button>
      )}
    </div>
  );
}
