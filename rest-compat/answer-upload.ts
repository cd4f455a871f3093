// Answers rows that bring the content of a file: their operation says which upload it is for, the component that keeps
// files receives it (docs/reference/artifact.md#uploads).
import { PassThrough } from 'node:stream';
import type { Received, ReceivedPart, ReceiveContent } from '../platform/component.ts';
import { endOfCredential } from '../platform/identity.ts';
import { watchBody } from '../platform/intake/intake.ts';
import { hasBody } from '../platform/read-body.ts';
import type { RequestContext } from '../platform/request-context.ts';
import type { Prepare } from './answering.ts';
import { domainErrorOf, send } from './failing.ts';
import type { RestRoute, RestRouteInput, UploadRow } from './route.ts';
import { filesOutOfReach } from './files-out-of-reach.ts';
import type { Parameters } from './parameters.ts';
import { receivedHeaders } from './tus.ts';

const CANCEL = 'mutation CancelUploadOfBody($id: ID!) { cancelUpload(id: $id) { id } }';
const STORED = `query StoredUpload($id: ID!) { upload(id: $id) {
  file { hash size name media_type: mediaType url created_at: createdAt } } }`;

/**
 * The body, as it comes: it may take as long as it keeps coming.
 * @throws DomainError `request_timeout` where it has stopped, and as the upload is refused
 */
async function receiveBody(
  { req, caller }: RequestContext,
  part: ReceivedPart,
  receive: ReceiveContent,
): Promise<Received> {
  if (!hasBody(req)) return receive(part, new PassThrough().end(), caller, new AbortController().signal);
  const stop = new AbortController();
  watchBody(req, true, (late) => {
    stop.abort(late);
  });
  caller.signal?.addEventListener(
    'abort',
    () => {
      const ended = endOfCredential(caller);
      if (ended) stop.abort(ended); // a client that has gone ends its body
    },
    { once: true },
  );
  return receive(part, req, caller, stop.signal);
}

/** A body of unknown length is as long as what has come of it. */
async function receiveWhole(
  ctx: RequestContext,
  part: ReceivedPart,
  receive: ReceiveContent,
): Promise<Received> {
  const received = await receiveBody(ctx, part, receive);
  if (received.hash !== null || part.length !== null) return received;
  const { offset } = received;
  return receive(
    { ...part, offset, length: offset },
    new PassThrough().end(),
    ctx.caller,
    new AbortController().signal,
  );
}

async function ask(
  prepare: Prepare,
  document: string,
  variables: Readonly<Record<string, unknown>>,
  ctx: RequestContext,
): Promise<Readonly<Record<string, unknown>>> {
  const { actor, roles, projects, requestId } = ctx.caller; // completed even if the client has gone
  const { data, errors } = await prepare(document).run(variables, { actor, roles, projects, requestId });
  const error = errors?.[0];
  if (error) throw domainErrorOf(error);
  return data ?? {};
}

interface Begun {
  readonly id: string;
}

/**
 * Receives the body for the upload that the row's operation has answered.
 * @throws DomainError; what was received of a whole file is removed then
 */
export async function answerUpload(
  { prepare, receive }: { readonly prepare: Prepare; readonly receive?: ReceiveContent | undefined },
  row: RestRoute & { readonly upload: UploadRow },
  value: unknown,
  input: RestRouteInput<string, Parameters>,
  ctx: RequestContext,
): Promise<void> {
  const part = row.upload.part(value as never, input); // the row's document selects it
  if (part === null) return send(ctx, { status: row.successStatus ?? 200, body: JSON.stringify(value) });
  if (receive === undefined) throw filesOutOfReach();
  const { id } = value as Begun; // as every such document selects
  if (row.upload.isWhole !== true) {
    const received = await receiveBody(ctx, part, receive);
    for (const [name, text] of Object.entries(receivedHeaders(received))) ctx.res.setHeader(name, text);
    return send(ctx, { status: row.successStatus ?? 200, body: JSON.stringify(value) });
  }
  try {
    await receiveWhole(ctx, part, receive);
  } catch (fault) {
    await ask(prepare, CANCEL, { id }, ctx);
    throw fault;
  }
  const stored = await ask(prepare, STORED, { id }, ctx);
  const { file } = (stored['upload'] ?? {}) as { file?: unknown }; // as selected
  send(ctx, { status: row.successStatus ?? 200, body: JSON.stringify(file ?? null) });
}
