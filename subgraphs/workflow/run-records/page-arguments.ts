// Arguments of pages of runs, as services take them.
import type { PageBounds } from '../../../platform/paging.ts';
import type { RunStatus } from './run.ts';
/** Arguments that were not sent are undefined in GraphQL and null everywhere else. */
export const pageArguments = ({
  status,
  project,
  limit,
  offset,
  cursor,
  asOf,
}: PageBounds & {
  readonly status?: RunStatus | null;
  readonly project?: string | null;
  readonly cursor?: string | null;
  readonly asOf?: string | null;
}): PageBounds & {
  status: RunStatus | null;
  project: string | null;
  cursor: string | null;
  asOf: string | null;
} => ({
  status: status ?? null,
  project: project ?? null,
  limit,
  offset,
  cursor: cursor ?? null,
  asOf: asOf ?? null,
});
