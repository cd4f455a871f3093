// Parts of an audit record that more than one view shows.
import type { ReactNode } from 'react';
import { Link } from '../../address/address.tsx';
import { isData } from '../../api/json.ts';

interface AuditChange {
  readonly action: string;
  readonly subject: string;
  readonly details: unknown;
}

const textIn = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

/** What a request changed of keys, accounts and clients. */
export const changesIn = (changes: unknown): readonly AuditChange[] =>
  Array.isArray(changes)
    ? // each member is checked before it is used
      (changes as readonly unknown[]).filter(isData).map(({ action, subject, details }) => ({
        action: textIn(action),
        subject: textIn(subject),
        details,
      }))
    : [];

const toneOf = (status: number): string => {
  if (status >= 500) return 'alarm';
  return status >= 400 ? 'warn' : 'good';
};

/** The run or production on whose behalf a service made a request. */
export function CauseLink({ of }: { readonly of: string }): ReactNode {
  const [kind = '', id = ''] = of.split(':', 2);
  return (
    <Link to={kind} params={{ id }}>
      {kind} <code>{id}</code>
    </Link>
  );
}

export const StatusCode = ({ of }: { readonly of: number }): ReactNode => (
  <span className={`tag ${toneOf(of)}`}>{of}</span>
);
