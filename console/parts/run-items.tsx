// A few runs, each with its status and since when.
import type { ReactNode } from 'react';
import { Link } from '../address/address.tsx';
import type { ListedRunFragment } from '../generated/api.ts';
import { Status } from './status.tsx';
import { agoText } from './text.ts';
import { Given } from './value.tsx';

export const LISTED_RUN = /* GraphQL */ `
  fragment ListedRun on Run {
    runId
    status
    triggerName
    adapter
    queuedAt
  }
`;

export const RunItems = ({ runs }: { readonly runs: readonly ListedRunFragment[] }): ReactNode => (
  <ul className="list">
    {runs.map(({ runId, status, triggerName, adapter, queuedAt }) => (
      <li key={runId}>
        <span className="row">
          <Status of={status} />
          <Link to="run" params={{ id: runId }}>
            <Given text={triggerName ?? adapter ?? 'submitted'} />
          </Link>
        </span>
        <time className="quiet small" dateTime={queuedAt} title={queuedAt}>
          {agoText(queuedAt)}
        </time>
      </li>
    ))}
  </ul>
);

/** The run that something led to. */
export const RunLink = ({ id }: { readonly id: string | undefined }): ReactNode =>
  id !== undefined && (
    <Link to="run" params={{ id }}>
      its run
    </Link>
  );
