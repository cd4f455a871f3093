// Whether what was made would be made the same, at the time that is shown.
import type { ReactNode } from 'react';
import { Link, useAddress } from '../address/address.tsx';
import type { WhetherStaleFragment } from '../generated/api.ts';
import { StaleReasons } from './stale-reasons.tsx';
import { Given } from './value.tsx';

/** Beside it an operation has STALE_CHANGE. */
export const WHETHER_STALE = /* GraphQL */ `
  fragment WhetherStale on Staleness {
    isStale
    isComplete
    notKnown
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

function freshText({ isComplete, notKnown }: WhetherStaleFragment, is: string, when: string): string {
  if (!isComplete) return 'Nothing was found that has changed; not all that it comes from was looked at.';
  return notKnown.length === 0
    ? `It ${is} still true: the same would be made ${when}.`
    : 'Nothing that is compared has changed.';
}

/** What is not compared, which may have changed. */
const NotKnown = ({ messages }: { readonly messages: readonly string[] }): ReactNode =>
  messages.length > 0 && (
    <>
      <p>Not compared:</p>
      <ul aria-label="Not compared">
        {messages.map((message) => (
          <li key={message}>
            <Given text={message} most={300} />
          </li>
        ))}
      </ul>
    </>
  );

export function StillTrue({ staleness, id }: Props): ReactNode {
  const { isStale, notKnown, reasons } = staleness;
  const isNow = useAddress().at === undefined;
  const [is, when] = isNow ? ['is', 'now'] : ['was', 'then'];
  if (!isStale)
    return (
      <div className="notice">
        <p>{freshText(staleness, is, when)}</p>
        <NotKnown messages={notKnown} />
      </div>
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
      <NotKnown messages={notKnown} />
    </section>
  );
}
