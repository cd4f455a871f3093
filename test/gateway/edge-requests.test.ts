// How the edge reads requests: paths, headers and bodies, valid or not.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Gateway, startGateway } from './gateway-testkit.ts';
import { rawRequest, sendRaw } from './raw-http.ts';
import { ENTITY, UUID4, type ErrorBody, gatewayError, failing } from './edge-testkit.ts';

describe('one gateway', () => {
  let gateway: Gateway;
  let viewer: string;
  let admin: string;
  beforeAll(async () => {
    gateway = await startGateway({ routes: failing });
    [viewer, admin] = await Promise.all([gateway.keyFor('viewer'), gateway.keyFor('admin')]);
  });
  afterAll(() => gateway[Symbol.asyncDispose]());

  test('HEAD is answered like GET, without a body', async () => {
    const [get, head] = await Promise.all([
      gateway.fetch(ENTITY, { key: viewer }),
      gateway.fetch(ENTITY, { key: viewer, method: 'HEAD' }),
    ]);
    expect(head.status).toBe(200);
    expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'));
    expect(await head.text()).toBe('');
  });

  test.each([
    ['DELETE /api/v1/artifact/./cache/1'],
    ['DELETE /api/v1/artifact/x/../cache/1'],
    ['DELETE /api/v1/artifact/%2e/cache/1'],
    ['DELETE /api/v1/artifact/x/%2e%2e/cache/1'],
    ['DELETE /api/v1/artifact/x/.%2E/cache/1'],
    ['DELETE /api/v1/artifact/cache%2f1'],
    ['DELETE /api/v1/artifact/cache%5c1'],
    ['DELETE /api/v1/artifact/cache\\1'],
    ['DELETE /api/v1/artifact//cache/1'],
    ['DELETE //api/v1/artifact/cache/1'],
    ['DELETE /api/v1/artifact/cache/1//'],
    ['DELETE /api/v1/artifact/cache/%00'],
    ['DELETE /api/v1/artifact/cache/%0a'],
    ['DELETE /api/v1/artifact/cache/%7F'],
    ['DELETE /api/v1/artifact/cache/%C2%85'],
    ['DELETE /api/v1/artifact/cache/%'],
    ['DELETE /api/v1/artifact/cache/%zz'],
    ['DELETE /api/v1/artifact/cache/%4'],
    ['DELETE /api/v1/artifact/cache/%ff'],
    ['DELETE /api/v1/artifact/cache/%ed%a0%80'],
    ['DELETE /api/v1/artifact/cache/1#x'],
    ['DELETE http://127.0.0.1/api/v1/artifact/cache/1'],
    ['DELETE https://evil.example/api/v1/artifact/cache/1'],
    ['OPTIONS *'],
    ['GET /api/v1/gateway/../metadata/entities'],
    ['GET /api/v1/gateway/health/..'],
    ['GET /livez/.'],
  ])('an ambiguous path is 400 before anything else looks at it: %s', async (line) => {
    const without = await rawRequest(gateway.port, `${line} HTTP/1.1`);
    expect([without.status, (JSON.parse(without.body) as ErrorBody).error]).toEqual([400, 'invalid_request']);
    expect((await rawRequest(gateway.port, `${line} HTTP/1.1`, [`X-Api-Key: ${viewer}`])).status).toBe(400);
  });

  test.each([
    ['/api/v1/artifact/%63ache/1'],
    ['/api/v1/artifact/c%61%63he/%31'],
    ['/api/v1/artifact/cache/1/'],
    ['/api/v1/%61rtifact/cache/1'],
    ['/%61pi/v1/artifact/cache/*'],
  ])('an unnecessary escape means its character, for the role check too: %s', async (path) => {
    const refused = await rawRequest(gateway.port, `DELETE ${path} HTTP/1.1`, [`X-Api-Key: ${viewer}`]);
    expect([refused.status, (JSON.parse(refused.body) as ErrorBody).error]).toEqual([
      403,
      'insufficient_role',
    ]);
    expect((await rawRequest(gateway.port, `DELETE ${path} HTTP/1.1`, [`X-Api-Key: ${admin}`])).status).toBe(
      200,
    );
  });

  test.each([
    ['two Host headers', ['Host: other']],
    ['two Authorization headers', ['Authorization: Bearer a', 'authorization: Bearer b']],
    ['two keys', ['X-Api-Key: a', 'x-api-key: b']],
    ['an h2c upgrade', ['Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA']],
    ['an unknown expectation', ['Expect: 200-ok']],
    ['another transfer coding', ['Transfer-Encoding: gzip, chunked']],
  ])('%s are 400', async (_, headers) => {
    const answer = await rawRequest(gateway.port, `GET ${ENTITY} HTTP/1.1`, headers);
    expect([answer.status, (JSON.parse(answer.body) as ErrorBody).error]).toEqual([400, 'invalid_request']);
  });

  test('requests that violate HTTP are rejected in the same error shape', async () => {
    const smuggled = await rawRequest(gateway.port, `POST ${ENTITY} HTTP/1.0`, [
      `X-Api-Key: ${viewer}`,
      'Transfer-Encoding: chunked',
    ]);
    expect(smuggled.status).toBe(400);
    const both = await rawRequest(gateway.port, `POST ${ENTITY} HTTP/1.1`, [
      'Content-Length: 3',
      'Transfer-Encoding: chunked',
    ]);
    expect(both.status).toBe(400);
    const garbage = await sendRaw(gateway.port, 'GARBAGE\r\n\r\n');
    expect([garbage.status, (JSON.parse(garbage.body) as ErrorBody).error]).toEqual([400, 'invalid_request']);
    const huge = await rawRequest(gateway.port, `GET ${ENTITY} HTTP/1.1`, [`X-Huge: ${'x'.repeat(20_000)}`]);
    expect(huge.status).toBe(431);
    const nowhere = await sendRaw(gateway.port, `GET ${ENTITY} HTTP/1.1\r\nConnection: close\r\n\r\n`);
    expect([nowhere.status, (JSON.parse(nowhere.body) as ErrorBody).error]).toEqual([400, 'invalid_request']);
    expect(nowhere.headers['x-request-id']).toMatch(UUID4);
  });

  test('all of many headers are read, and too many are refused', async () => {
    // Node silently drops headers beyond a number
    const many = Array.from({ length: 2500 }, () => 'X-A: 1');
    expect(
      (await rawRequest(gateway.port, `GET ${ENTITY} HTTP/1.1`, [...many, `X-Api-Key: ${viewer}`])).status,
    ).toBe(200);
    expect(
      (
        await rawRequest(gateway.port, `GET ${ENTITY} HTTP/1.1`, [
          `X-Api-Key: ${viewer}`,
          ...many,
          'Host: other',
        ])
      ).status,
    ).toBe(400);
    expect(
      (await rawRequest(gateway.port, `GET ${ENTITY} HTTP/1.1`, [...many, ...many, `X-Api-Key: ${viewer}`]))
        .status,
    ).toBe(431);
  });

  test('every answer forbids sniffing and framing', async () => {
    for (const path of [ENTITY, '/livez']) {
      const { headers } = await gateway.fetch(path);
      expect([
        headers.get('x-content-type-options'),
        headers.get('x-frame-options'),
        headers.get('x-powered-by'),
      ]).toEqual(['nosniff', 'DENY', null]);
    }
  });

  const post = (
    body: NonNullable<RequestInit['body']>,
    contentType = 'application/json',
    more: Record<string, string> = {},
  ): Promise<Response> =>
    gateway.fetch(ENTITY, {
      key: viewer,
      method: 'POST',
      body,
      headers: { 'content-type': contentType, ...more },
    });

  test('bodies: malformed is 400, too large 413, another media type 415, unstorable 422', async () => {
    expect(await gatewayError(await post('{"a":'))).toMatchObject({ status: 400, error: 'invalid_request' });
    expect(await gatewayError(await post(Buffer.from([0x22, 0xff, 0x22])))).toMatchObject({
      status: 400,
      error: 'invalid_request',
    });
    expect(await gatewayError(await post('['.repeat(100_000)))).toMatchObject({
      status: 400,
      error: 'invalid_request',
    });
    expect(await gatewayError(await post(`"${'x'.repeat(1024 * 1024)}"`))).toMatchObject({
      status: 413,
      error: 'payload_too_large',
    });
    expect((await post(`"${'x'.repeat(1024 * 1024 - 2)}"`)).status).toBe(200);
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/jsonx',
      'application/json; charset=latin1',
    ]) {
      expect(await gatewayError(await post('{}', type))).toMatchObject({
        status: 415,
        error: 'unsupported_media_type',
      });
    }
    expect(
      await gatewayError(await post('{}', 'application/json', { 'content-encoding': 'gzip' })),
    ).toMatchObject({ status: 415 });
    for (const type of ['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/ld+json'])
      expect((await post('{}', type)).status).toBe(200);
    expect(await gatewayError(await post('{"data":{"n":9007199254740993}}'))).toMatchObject({
      status: 422,
      error: 'validation_failed',
      details: { path: '$.data.n' },
    });
    expect(await gatewayError(await post('{"data":{"s":"a\\u0000"}}'))).toMatchObject({
      status: 422,
      error: 'validation_failed',
      details: { path: '$.data.s' },
    });
  });

  test('pipelined requests on one connection are answered one by one, whether they have bodies, unread bodies, or none', async () => {
    const ahead = [
      ['GET', ENTITY, ''],
      ['GET', '/api/v1/gateway/test/me', 'unread'],
      ['POST', ENTITY, '{"a":1}'],
      ['GET', ENTITY, ''],
    ] as const;
    const requests = ahead.map(([method, path, body], i) =>
      [
        `${method} ${path} HTTP/1.1`,
        'Host: a',
        `X-Api-Key: ${viewer}`,
        ...(body === '' ? [] : ['Content-Type: application/json', `Content-Length: ${body.length}`]),
        ...(i === ahead.length - 1 ? ['Connection: close'] : []),
        '',
        body,
      ].join('\r\n'),
    );
    const { status, body } = await sendRaw(gateway.port, requests.join(''));
    expect(
      [status, ...body.matchAll(/HTTP\/1\.1 (\d+)/g)].map((found) =>
        typeof found === 'number' ? found : Number(found[1]),
      ),
    ).toEqual([200, 200, 200, 200]);
    expect([...body.matchAll(/"method":"(\w+)"|"requestId"/g)].map(([, method]) => method)).toEqual([
      'GET',
      undefined,
      'POST',
      'GET',
    ]);
  });

  test('a body without a declared length is held to the same limit', async () => {
    const chunks = new ReadableStream({
      start(controller) {
        for (let i = 0; i < 40; i++) controller.enqueue(new TextEncoder().encode(' '.repeat(65_536)));
        controller.close();
      },
    });
    const answer = await gateway.fetch(ENTITY, {
      key: viewer,
      method: 'POST',
      body: chunks,
      headers: { 'content-type': 'application/json' },
      ...{ duplex: 'half' },
    });
    expect(await gatewayError(answer)).toMatchObject({ status: 413 });
  });
});
