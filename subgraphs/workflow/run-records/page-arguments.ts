// Arguments of pages of runs, as services take them.
import type { PageBounds } from '../../../platform/paging.ts';
import type { RunPageArguments } from './runs.service.ts';
import type { RunFilter } from './runs.store.ts';

type Optional<Given> = { readonly [Name in keyof Given]?: Given[Name] | null };

/** Arguments that were not sent are undefined in GraphQL and null everywhere else. */
export const pageArguments = ({
  status,
  project,
  since,
  until,
  causedBy,
  requestId,
  error,
  limit,
  offset,
  cursor,
  asOf,
}: PageBounds &
  Optional<RunFilter> &
  Optional<Pick<RunPageArguments, 'cursor' | 'asOf'>>): RunPageArguments => ({
  filter: {
    status: status ?? null,
    project: project ?? null,
    since: since ?? null,
    until: until ?? null,
    causedBy: causedBy ?? null,
    requestId: requestId ?? null,
    error: error ?? null,
  },
  limit,
  offset,
  cursor: cursor ?? null,
  asOf: asOf ?? null,
});
