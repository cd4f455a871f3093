// How the rows of a request for bulk ingest are ingested, by its parameters (docs/reference/metadata.md#bulk-ingest-over-rest).
import type { RequestContext } from '../../platform/request-context.ts';
import { headersOf } from '../answering.ts';
import { readParameters } from '../parameters.ts';
import type { RestRoute } from '../route.ts';
import { unheededPreconditions, warningsOf } from '../unheeded.ts';
import type { BulkOptions } from './ingest-batch.ts';
import type { TableReading } from './table-rows.ts';

export interface BulkMode {
  /** Of rows that name none. */
  readonly type: string | null;
  readonly context: unknown;
  readonly allOrNothing: boolean;
  readonly dryRun: boolean;
  readonly table: TableReading;
  /** Of parameters and preconditions that mean nothing to it. */
  readonly warnings: readonly string[];
}

/** @throws DomainError for parameters that are wrong */
export function bulkModeOf(route: RestRoute, ctx: RequestContext, refuse: BulkOptions['refuse']): BulkMode {
  const { values, rest } = readParameters(route.query, ctx.search, refuse);
  const header = headersOf(ctx);
  const variables = route.variables({
    params: {},
    query: values,
    rest: {},
    body: undefined,
    header,
    preferred: () => null,
  });
  const type = variables['entityType'];
  return {
    type: typeof type === 'string' ? type : null,
    context: variables['context'],
    allOrNothing: variables['allOrNothing'] === true,
    dryRun: variables['dryRun'] === true,
    table: variables['table'] as TableReading, // by the row's variables
    warnings: [...warningsOf(route, rest), ...unheededPreconditions(route, header)],
  };
}
