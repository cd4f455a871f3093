// Whether what was made would be made the same, at the time that is shown.
import type { ReactNode } from 'react';
import { Link, useAddress } from '../address/address.tsx';
import type { WhetherStaleFragment } from '../generated/api.ts';
import { StaleReasons } from './stale-reasons.tsx';

/** Beside it an operation has STALE_CHANGE. */
export const WHETHER_STALE = /* GraphQL */ `
  fragment WhetherStale on Staleness {
    isStale
    isComplete
    reasons {
      ...StaleChange
    }
  }
`;

interface Props {
  readonly staleness: WhetherStaleFragment;
  /** The entity that it is said of; undefined where it is made anew with others. */
  readonly id?: string;
}

export function StillTrue({ staleness: { isStale, isComplete, reasons }, id }: Props): ReactNode {
  const isNow = useAddress().at === undefined;
  const [is, when] = isNow ? ['is', 'now'] : ['was', 'then'];
  if (!isStale)
    return (
      <p className="notice">
        {isComplete
          ? `It ${is} still true: the same would be made ${when}.`
          : 'Nothing was found that has changed; not all that it comes from was looked at.'}
      </p>
    );
  return (
    <section className="notice warn" aria-labelledby="stale">
      <div className="row apart">
        <h2 id="stale">
          It {is} no longer what would be made {when}
        </h2>
        {isNow && id !== undefined && (
          <Link to="refresh" params={{ id }} className="button">
            See how it is made anew
          </Link>
        )}
      </div>
      <StaleReasons reasons={reasons} />
    </section>
  );
}
