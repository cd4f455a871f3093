// Runs an admitted operation and answers its one list as a table (docs/reference/api-conventions.md#tables-of-operations).
import { parse } from 'graphql';
import { runWithin } from '../../platform/budget/budgeted.ts';
import { errorCodeOf, STATUS_BY_CODE } from '../../platform/errors.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { inBlocks } from '../../platform/table-formats/in-blocks.ts';
import type { TableFormat } from '../../platform/table-formats/table.ts';
import { setWarningsHeader } from '../../platform/warnings.ts';
import type { RouterOperation } from '../execution/prepare-operation.ts';
import { writeAnswer } from './answers.ts';
import { JSON_TYPE } from './media-type.ts';
import { tableOf } from './operation-table.ts';
import type { GraphqlRequest } from './read-request.ts';
import { noted, type Straight } from './run-straight.ts';
import { send } from './send.ts';

interface AsTable extends Pick<Straight, 'limits' | 'onRefused'> {
  readonly format: TableFormat;
}

/**
 * Of what failed, also in part, there is no table: the errors are answered as JSON with the status of the first.
 * @throws DomainError `invalid_request` before anything runs, for an operation that is no table
 */
export async function answerTable(
  ctx: RequestContext,
  operation: RouterOperation,
  { query, operationName, variables }: GraphqlRequest,
  { format, limits, onRefused }: AsTable,
): Promise<void> {
  const table = tableOf(operation.schema, parse(query, { noLocation: true }), operationName, variables); // admitted, so it is valid
  const { result, budget } = await runWithin(limits, ctx.caller, true, (caller) =>
    operation.run(variables, caller),
  );
  try {
    const { result: told, text } = await writeAnswer(result, ctx.requestId, budget);
    noted(told, onRefused);
    const [error] = told.errors ?? [];
    if (error !== undefined) {
      const code = errorCodeOf(error.extensions?.['code']) ?? 'internal_error';
      return send(ctx, STATUS_BY_CODE[code], JSON_TYPE, text);
    }
    const { data } = JSON.parse(text.toString()) as { readonly data: unknown }; // as written
    const pieces: Buffer[] = [];
    for await (const piece of format.encode(table.columns, inBlocks(table.rows(data), budget)))
      pieces.push(Buffer.from(piece));
    const { warnings = [] } = told.extensions ?? {};
    if (warnings.length > 0) setWarningsHeader(ctx.res, warnings);
    send(ctx, 200, format.mediaType, Buffer.concat(pieces));
  } finally {
    budget.closeWith(ctx.res);
  }
}
