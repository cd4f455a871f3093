// Runs an admitted operation and writes its answer, bypassing Apollo Server.
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import accepts from 'accepts';
import { runWithin } from '../../platform/budget/budgeted.ts';
import type { OperationLimits } from '../../platform/budget/limits.ts';
import type { ComponentResult } from '../../platform/component.ts';
import type { ErrorCode } from '../../platform/errors.ts';
import { hadLargeBody } from '../../platform/read-body.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { hasRun } from '../../platform/result-text.ts';
import type { RouterOperation } from '../execution/prepare-operation.ts';
import { codesOf, writeAnswer } from './answers.ts';
import { accepted } from './media-type.ts';
import type { GraphqlRequest } from './read-request.ts';
import { send, shownStatus } from './send.ts';

/** The answer's media type, if this module can write it. */
export const plainType = ({ req }: RequestContext): string | undefined =>
  req.method === 'POST' ? accepted(req).type : undefined;

/** Receives refusals inside an operation. */
export function noted(result: ComponentResult, onRefused: (code: ErrorCode) => void): ComponentResult {
  if (result.errors !== undefined) for (const code of codesOf(result)) onRefused(code);
  return result;
}

/**
 * Does what Apollo Server would do with an admitted operation: run it, write the answer. Its pipeline costs
 * about as much again as the rest of a point read.
 */
export async function runStraight(
  ctx: RequestContext,
  operation: RouterOperation,
  { variables }: GraphqlRequest,
  { type, limits, onRefused }: Straight,
): Promise<void> {
  const { result, budget } = await runWithin(limits, ctx.caller, operation.kind === 'query', (caller) => {
    if (hadLargeBody(ctx.req)) caller.budget?.beLarge();
    return operation.run(variables, caller);
  });
  try {
    const written = writeAnswer(result, ctx.requestId, budget);
    const { result: told, text } = written instanceof Promise ? await written : written;
    noted(told, onRefused);
    const body = operation.introspects ? await packed(ctx, text) : text;
    send(ctx, shownStatus(ctx, statusOf(told)), type, body);
  } finally {
    budget.closeWith(ctx.res);
  }
}

const compressed = promisify(gzip);
/** In bytes: less is sent as fast as it is compressed. */
const LARGE = 65_536;

/** A large description of the schema says the same of every type: compressed, it is a twentieth to a fortieth. */
async function packed({ req, res }: RequestContext, text: string | Buffer): Promise<string | Buffer> {
  if (Buffer.byteLength(text) < LARGE) return text;
  res.appendHeader('vary', 'Accept-Encoding');
  if (accepts(req).encoding(['gzip', 'identity']) !== 'gzip') return text;
  const body = await compressed(text);
  res.setHeader('content-encoding', 'gzip');
  return body;
}

export interface Straight {
  readonly type: string;
  readonly limits: OperationLimits;
  readonly onRefused: (code: ErrorCode) => void;
}

/** 200 for an operation that ran, whatever its errors; a refusal has the status of its code. */
function statusOf(result: ComponentResult): number {
  if (hasRun(result)) return 200;
  return codesOf(result)[0] === 'rate_limit_exceeded' ? 429 : 400;
}
