// GraphQL operations of a component in another process, over persistent connections.
import { getOperationAST, parse } from 'graphql';
import type { Pool } from 'undici';
import type { Budget } from '../../platform/budget/budget.ts';
import { limitsHeader, OBJECTS_HEADER } from '../../platform/budget/limits-header.ts';
import type { ComponentResult, PreparedOperation } from '../../platform/component.ts';
import { type Caller, identityHeaders } from '../../platform/identity.ts';
import { DomainError, outcomeUnknown } from '../../platform/errors.ts';
import { jsonTextInTurns } from '../../platform/json-text.ts';
import type { SignIdentity } from '../../platform/signed-identity/identity-signer.ts';
import { MAX_ASKED } from '../../platform/operation-frames/frame-format.ts';
import { type FramedDocument, isNameable } from './frame-connection.ts';
import type { FrameConnections } from './frame-connections.ts';
import { failed, type RemoteAnswer, type Unavailable } from './read-answer.ts';
import { isStale } from '../../platform/stale-connection.ts';
import { systemErrorCode } from '../../platform/system-error-code.ts';
import type { Circuit } from '../circuit/circuit.ts';

/** The body, within the caller's budget. */
async function bodyOf(
  body: AsyncIterable<Uint8Array> & { text(): Promise<string> },
  budget: Budget | undefined,
): Promise<string> {
  if (budget === undefined) return body.text();
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) {
    if (!budget.read(chunk.length)) throw budget.reason;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Aborted when the operation ends, or its client disconnects; null if neither can happen. */
function endOf({ budget, signal }: Caller): AbortSignal | null {
  if (budget === undefined) return signal ?? null;
  budget.followCaller();
  return budget.signal;
}

/** Whether the caller has gone, or the operation has ended over its limits. */
const hasEnded = ({ budget, signal }: Caller): boolean =>
  signal?.aborted === true || budget?.signal.aborted === true;

export interface RemoteRequestOptions {
  readonly name: string;
  readonly pool: Pool;
  /** The component's GraphQL endpoint on the pool's origin. */
  readonly path: string;
  readonly sign: SignIdentity;
  readonly read: (answer: RemoteAnswer, budget?: Budget) => Promise<ComponentResult>;
  readonly unavailable: Unavailable;
  readonly circuit: Circuit;
  readonly frames: FrameConnections;
}

async function post(
  { name, pool, path, sign, frames }: RemoteRequestOptions,
  body: string,
  caller: Caller,
): Promise<RemoteAnswer> {
  const response = await pool.request({
    path,
    method: 'POST',
    body,
    signal: endOf(caller),
    headers: {
      ...identityHeaders(caller, await sign(caller, name)),
      ...limitsHeader(caller.budget?.remaining),
      'content-type': 'application/json',
      accept: 'application/json',
    },
  });
  const text = await bodyOf(response.body, caller.budget);
  const shown = Number(response.headers[OBJECTS_HEADER]);
  if (Number.isSafeInteger(shown)) caller.budget?.show(shown, 1);
  frames.answered();
  return { status: response.statusCode, text };
}

/** What is large goes alone: in a frame it would hold others up. */
const isSmall = (text: string): boolean =>
  text.length * 3 <= MAX_ASKED || (text.length <= MAX_ASKED && Buffer.byteLength(text) <= MAX_ASKED);

/** Errors of a connection that was not made: nothing was sent. */
const isUnsent = (fault: unknown): boolean =>
  /^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/.test(
    systemErrorCode(fault) ?? '',
  );

/** A proxy's, of a component that it has perhaps sent the operation. */
const isOfProxy = (status: number): boolean => status === 502 || status === 504;

/** Prepares operations; running one never throws. A query is sent again if its connection was stale. */
export const preparing =
  (options: RemoteRequestOptions) =>
  (source: string, operationName?: string): PreparedOperation => {
    const named = operationName === undefined ? '' : `,"operationName":${JSON.stringify(operationName)}`;
    const head = `{"query":${JSON.stringify(source)}${named},"variables":`;
    const repeatable = getOperationAST(parse(source), operationName)?.operation === 'query';
    const document: FramedDocument | undefined = isSmall(source) ? { source, operationName } : undefined;
    const failureOf = (fault: unknown): DomainError => {
      if (fault instanceof DomainError && fault.code === 'component_unavailable') return fault;
      return repeatable || isUnsent(fault)
        ? options.unavailable(null, fault)
        : outcomeUnknown(options.name, null, fault);
    };
    const alone = (variables: string, caller: Caller): Promise<RemoteAnswer> =>
      post(options, `${head}${variables}}`, caller);
    const send = async (variables: string, caller: Caller): Promise<RemoteAnswer> => {
      if (document === undefined || !isSmall(variables)) return alone(variables, caller);
      const signing = options.sign(caller, options.name);
      const signed = signing instanceof Promise ? await signing : signing;
      const connection = isNameable(signed, caller) ? options.frames.choose() : undefined;
      return connection === undefined
        ? alone(variables, caller)
        : connection.ask(document, signed, variables, caller);
    };
    return async (variables, caller) => {
      const written = await jsonTextInTurns(variables);
      try {
        const answer = await options.circuit.run(
          () =>
            send(written, caller).catch((fault: unknown) => {
              if (repeatable && isStale(fault) && !hasEnded(caller)) return alone(written, caller);
              throw fault;
            }),
          () => !hasEnded(caller),
        );
        if (!repeatable && isOfProxy(answer.status))
          return failed(outcomeUnknown(options.name, answer.status, undefined));
        return await options.read(answer, caller.budget);
      } catch (fault) {
        return failed(failureOf(fault));
      }
    };
  };
