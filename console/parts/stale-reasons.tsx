// What has changed since a result was made.
import type { ReactNode } from 'react';
import type { StaleChangeFragment } from '../generated/api.ts';
import { Status } from './status.tsx';
import { EntityLink, Given } from './value.tsx';

export const STALE_CHANGE = /* GraphQL */ `
  fragment StaleChange on StaleReason {
    kind
    message
    entityId
  }
`;

/** Reasons that are shown; a chain of productions may have many. */
const MAX_REASONS = 20;

export const StaleReasons = ({
  reasons,
  most = MAX_REASONS,
}: {
  readonly reasons: readonly StaleChangeFragment[];
  readonly most?: number;
}): ReactNode => (
  <>
    <ul>
      {reasons.slice(0, most).map(({ kind, message, entityId }, i) => (
        // one entity may give several inputs
        <li key={i}>
          <Status of={kind.toLowerCase()} /> <Given text={message} most={300} />{' '}
          {entityId !== null && <EntityLink id={entityId} />}
        </li>
      ))}
    </ul>
    {reasons.length > most && <p className="quiet small">And {reasons.length - most} more.</p>}
  </>
);
