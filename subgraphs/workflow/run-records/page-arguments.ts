// Arguments of pages of runs, as services take them.
import type { PageBounds } from '../../../platform/paging.ts';
import type { RunStatus } from './run.ts';
/** Arguments that were not sent are undefined in GraphQL and null everywhere else. */
export const pageArguments = ({
  status,
  limit,
  offset,
  cursor,
}: PageBounds & { readonly status?: RunStatus | null; readonly cursor?: string | null }): PageBounds & {
  status: RunStatus | null;
  cursor: string | null;
} => ({
  status: status ?? null,
  limit,
  offset,
  cursor: cursor ?? null,
});
