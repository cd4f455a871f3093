// Results that a refresh leaves out, each with the reason, and what to do.
import type { ReactNode } from 'react';
import { Link } from '../../address/address.tsx';
import type { RefreshMutation } from '../../generated/api.ts';
import { messageOf, plural } from '../../parts/text.ts';
import type { RefusedResult } from '../../parts/told-refresh.ts';
import { EntityLink, Given } from '../../parts/value.tsx';

const MOST = 25;

export const refusedIn = (steps: RefreshMutation['refresh']['plan']['steps']): readonly RefusedResult[] =>
  steps.flatMap(({ entityId: id, error }) => (error === null ? [] : [{ id, why: messageOf(error) }]));

export const Refused = ({
  refused,
  onRetry,
}: {
  readonly refused: readonly RefusedResult[];
  /** Given where nothing at all was begun. */
  readonly onRetry?: () => void;
}): ReactNode => (
  <div className="notice alarm" role={onRetry ? 'alert' : 'note'}>
    <strong>{plural(refused.length, 'result is', 'results are')} not made anew</strong>
    <ul>
      {refused.slice(0, MOST).map(({ id, why }) => (
        <li key={id}>
          <EntityLink id={id} />: <Given text={why} most={500} />
        </li>
      ))}
      {refused.length > MOST && <li>and {plural(refused.length - MOST, 'other')}</li>}
    </ul>
    <p>
      What is being made otherwise can be made anew when{' '}
      <Link to="rules" params={{ tab: 'productions' }}>
        its production
      </Link>{' '}
      has ended: look again then.
    </p>
    {onRetry && (
      <p>
        <button type="button" className="button" onClick={onRetry}>
          Look again
        </button>
      </p>
    )}
  </div>
);
