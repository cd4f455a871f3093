// Leads from what a production made to the plan by which it would be made again, with what was asked for filled in.
import type { ReactNode } from 'react';
import { Link } from '../address/address.tsx';

interface Asked {
  readonly entityType: string;
  readonly criteria: unknown;
  readonly parameters: unknown;
  /** The rule that made it, as `name@version`. */
  readonly rule: string | null;
}

const membersOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : [];

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The parameters of the view that asks. */
const wishOf = ({
  entityType,
  criteria,
  parameters,
  rule,
}: Asked): Readonly<Record<string, string | undefined>> => ({
  type: entityType,
  ...Object.fromEntries(membersOf(criteria).map(([name, value]) => [`c.${name}`, textOf(value)])),
  parameters: membersOf(parameters).length === 0 ? undefined : JSON.stringify(parameters),
  // whatever version is in force: others that match as well are not asked
  rule: rule?.replace(/@\d+$/, ''),
  plan: '1',
});

export const AskAgain = ({ of }: { readonly of: Asked }): ReactNode => (
  <Link to="ask" params={wishOf(of)} className="button">
    Ask again
  </Link>
);
