// Metadata's REST API over a component, called with request contexts instead of a network.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { Component } from '../../platform/component.ts';
import type { Caller } from '../../platform/identity.ts';
import { permissionOf } from '../../rest-compat/document-permission.ts';
import { createRestApi } from '../../rest-compat/handler.ts';
import { BULK_BODY_LIMIT, REST_API_KINDS } from '../../rest-compat/rest-apis.ts';
import { metadataPermissions } from '../../subgraphs/metadata/nouns.ts';
import { admin } from './metadata.ts';

export interface FaceAnswer {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- a test says what it expects of a body
  readonly body: any;
}
export interface FaceCall {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly caller?: Caller;
}

/** Calls by method and path (with query), as after the edge's stages; errors reject. */
export function metadataFace(component: Component) {
  const { rows, envelope, refuse } = REST_API_KINDS.metadata;
  const prepared = new Map<string, ReturnType<Component['prepare']>>();
  const faults: unknown[] = [];
  const api = createRestApi({
    component: 'metadata',
    prefix: '/api/v1/metadata',
    rows,
    envelope,
    refuse,
    bulkBodyLimit: BULK_BODY_LIMIT,
    prepare(document) {
      const run = prepared.get(document) ?? component.prepare(document);
      prepared.set(document, run);
      return { run, permission: permissionOf(document, metadataPermissions) };
    },
    extensions: () => Promise.resolve({ schemaVersion: '0' }),
    onFault: (error) => {
      faults.push(error);
    },
  });

  return async (
    method: string,
    target: string,
    { body, headers = {}, caller = admin }: FaceCall = {},
  ): Promise<FaceAnswer> => {
    const [path = '', search = ''] = target.split('?');
    const sent =
      body === undefined ? [] : [Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))];
    const all = {
      host: 'cairn.test',
      ...(body === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': String(Buffer.concat(sent).length) }),
      ...headers,
    };
    const req = Object.assign(Readable.from(sent), {
      method,
      headers: all,
      complete: true,
    }) as unknown as IncomingMessage; // The REST API reads nothing else of a request.
    let answer: FaceAnswer | undefined;
    let [status, answered]: [number, Record<string, unknown>] = [0, {}];
    const res = {
      appendHeader: () => undefined,
      writeHead(code: number, sentHeaders: Record<string, unknown>) {
        [status, answered] = [code, sentHeaders];
      },
      end(text: string) {
        answer = { status, headers: answered, text, body: JSON.parse(text) as unknown };
      },
    } as unknown as ServerResponse; // The REST API uses nothing else of a response.
    const match = api.match(method, path);
    await match.handle({
      req,
      res,
      caller,
      path,
      search,
      requestId: caller.requestId,
      ip: '127.0.0.1',
      template: match.template,
      bodyLimit: match.bodyLimit ?? 1 << 20,
    });
    if (faults.length > 0) throw faults.pop();
    if (!answer) throw new Error('the REST API did not answer');
    return answer;
  };
}

export type MetadataFace = ReturnType<typeof metadataFace>;
