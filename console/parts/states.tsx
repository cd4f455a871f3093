// What a view shows instead of data: loading, a fault, nothing yet.
import type { ReactNode } from 'react';
import type { ApiError } from '../api/api-error.ts';
import { type Answer } from '../api/use-api.ts';
import { useAddress } from '../address/address.tsx';
import { Icon } from './icons.tsx';
import { instantText } from './text.ts';

export const Loading = ({ what }: { readonly what: string }): ReactNode => (
  <p className="loading" role="status">
    <Icon name="spinner" spins />
    Loading {what} …
  </p>
);

interface Violation {
  readonly message?: unknown;
  readonly field?: unknown;
}

/** The single failures that an error lists, where it does. */
function violationsOf({ details }: ApiError): readonly string[] {
  const listed = details['violations'] ?? details['failures'];
  return Array.isArray(listed)
    ? // each member is checked before it is used
      (listed as readonly Violation[]).flatMap(({ message }) =>
        typeof message === 'string' ? [message] : [],
      )
    : [];
}

/** The way to the first instant that is known, from one before. */
function FirstKnown({ error: { details } }: { readonly error: ApiError }): ReactNode {
  const { at, set } = useAddress();
  const from = details['from'];
  if (at === undefined || details['field'] !== 'as_of' || typeof from !== 'string') return null;
  return (
    <p>
      <button
        type="button"
        className="button"
        onClick={() => {
          set({ at: from });
        }}
      >
        Go to {instantText(from)}, the first moment that is known
      </button>
    </p>
  );
}

export function Fault({
  error,
  onRetry,
  retry = 'Try again',
}: {
  readonly error: ApiError;
  readonly onRetry?: (() => void) | undefined;
  /** What its button says. */
  readonly retry?: string;
}): ReactNode {
  const violations = violationsOf(error).filter((message) => !error.message.includes(message));
  return (
    <div className="notice alarm" role="alert">
      <strong>{error.message}</strong>
      {violations.length > 0 && (
        <ul>
          {violations.map((message) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      )}
      {error.advice !== undefined && <p>{error.advice}</p>}
      {error.requestId !== undefined && (
        <p className="small">
          {error.code}, request <code>{error.requestId}</code>
        </p>
      )}
      <FirstKnown error={error} />
      {onRetry && (
        <p>
          <button type="button" className="button" onClick={onRetry}>
            {retry}
          </button>
        </p>
      )}
    </div>
  );
}

export const Empty = ({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ReactNode;
}): ReactNode => (
  <div className="empty">
    <h2>{title}</h2>
    {children}
  </div>
);

/** The data of an answer, or what there is instead of them. Those of earlier variables are dimmed until the others are there. */
export function Shown<Data>({
  answer,
  what,
  children,
}: {
  readonly answer: Answer<Data>;
  readonly what: string;
  readonly children: (data: Data) => ReactNode;
}): ReactNode {
  const { data, error, isLoading, reload } = answer;
  if (data === undefined) return error ? <Fault error={error} onRetry={reload} /> : <Loading what={what} />;
  return (
    <>
      {error && <Fault error={error} onRetry={reload} />}
      <div className="shown" aria-busy={isLoading}>
        {children(data)}
      </div>
      {isLoading && (
        <p className="loading visually-hidden" role="status">
          Loading {what} …
        </p>
      )}
    </>
  );
}
