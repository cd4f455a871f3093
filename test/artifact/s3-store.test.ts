// The artifact store over an S3-compatible service, through HTTP.
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import {
  type AbortMultipartUploadCommandInput,
  DeleteObjectCommand,
  PutObjectCommand,
  type UploadPartCommandInput,
} from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { parseConfig } from '../../platform/config/load-config.ts';
import { loadSdk, s3ClientOf, type S3Settings, S3Store } from '../../subgraphs/artifact/storage/s3-store.ts';
import { ContentMissing, objectKey } from '../../subgraphs/artifact/storage/object-store.ts';
import { addRule, addSchema, canRun, GREET, GREETING, produce, shell } from './production-testkit.ts';
import { startS3 } from './s3-server.ts';
import { startServer } from '../testkit/server.ts';

const ENV = { S3_KEY_ID: 'S3RVER', S3_SECRET: 'S3RVER' };
const yaml = (url: string): string => `artifact:
  allow_sources: [s3://cairn/in/]
  store: {type: s3, bucket: cairn, prefix: kept/, endpoint: "${url}", path_style: true, access_key_id_env: S3_KEY_ID, secret_access_key_env: S3_SECRET}
`;
const settingsOf = (url: string): S3Settings =>
  // as the text says
  parseConfig(yaml(url), '/nowhere/gateway.yaml', { env: ENV, cwd: '/nowhere' }).artifact.store as S3Settings;

test('content is stored under its hash, distinguished from missing or damaged content, and can be removed', async () => {
  await using service = await startS3('cairn');
  const settings = settingsOf(service.url);
  const sdk = await loadSdk();
  const client = s3ClientOf(sdk, settings);
  const store = new S3Store(sdk, settings);
  const directory = await mkdtemp(path.join(os.tmpdir(), 'cairn-s3-test-'));
  const file = path.join(directory, 'file');
  const content = 'x'.repeat(3_000_000);
  await writeFile(file, content);
  const hash = `sha256:${createHash('sha256').update(content).digest('hex')}`;
  expect(await store.check(hash)).toBe('missing');
  expect(await store.keep(file)).toEqual({ hash, size: 3_000_000 });
  expect(await store.keep(file)).toEqual({ hash, size: 3_000_000 });
  expect(await store.check(hash)).toBe('sound');
  expect(await text(await store.read(hash))).toBe(content);
  expect(await text(await store.read(hash, { size: 3_000_000, first: 2_999_998, last: 2_999_999 }))).toBe(
    'xx',
  );
  for (const part of [
    { size: 3_000_001, first: 0, last: 9 },
    { size: 4_000_000, first: 3_500_000, last: 3_999_999 },
  ])
    await expect(store.read(hash, part)).rejects.toThrow(ContentMissing);
  await expect(store.read(`sha256:${'0'.repeat(64)}`)).rejects.toThrow(ContentMissing);

  await client.send(new PutObjectCommand({ Bucket: 'cairn', Key: `kept/${objectKey(hash)}`, Body: 'other' }));
  expect(await store.check(hash)).toBe('damaged');
  await store.keep(file);
  expect(await store.check(hash)).toBe('sound');
  await client.send(new DeleteObjectCommand({ Bucket: 'cairn', Key: `kept/${objectKey(hash)}` }));
  expect(await store.check(hash)).toBe('missing');
  await store.remove(hash);
  client.destroy();
  await rm(directory, { recursive: true });
});

test('a file beyond the size of a part is one object of many parts, which are given up where one fails', async () => {
  await using service = await startS3('cairn');
  const sdk = await loadSdk();
  const parts: (number | undefined)[] = [];
  let [failing, givenUp] = [3, 0];
  class UploadPart extends sdk.UploadPartCommand {
    constructor(input: UploadPartCommandInput) {
      super(input);
      if (input.PartNumber === failing)
        this.middlewareStack.add(() => () => Promise.reject(new Error('the line broke')), {
          step: 'finalizeRequest',
        });
      parts.push(input.PartNumber);
    }
  }
  class Abort extends sdk.AbortMultipartUploadCommand {
    constructor(input: AbortMultipartUploadCommandInput) {
      super(input);
      givenUp++;
      // the double knows no such request
      this.middlewareStack.add(() => () => Promise.resolve({ output: { $metadata: {} }, response: {} }), {
        step: 'finalizeRequest',
      });
    }
  }
  const watched = { ...sdk, UploadPartCommand: UploadPart, AbortMultipartUploadCommand: Abort };
  const store = new S3Store(watched, settingsOf(service.url), 1_000_000);
  const directory = await mkdtemp(path.join(os.tmpdir(), 'cairn-s3-test-'));
  const file = path.join(directory, 'file');
  const content = Buffer.from(Array.from({ length: 3_500_001 }, (_, i) => (i * 7919) % 251));
  await writeFile(file, content);
  const hash = `sha256:${createHash('sha256').update(content).digest('hex')}`;
  await expect(store.keep(file)).rejects.toThrow('the line broke');
  expect([parts, givenUp, await store.check(hash)]).toEqual([[1, 2, 3], 1, 'missing']);
  failing = 0;
  parts.length = 0;
  expect(await store.keep(file)).toEqual({ hash, size: 3_500_001 });
  expect([parts, givenUp]).toEqual([[1, 2, 3, 4], 1]);
  expect((await buffer(await store.read(hash))).equals(content)).toBe(true);
  const across = await buffer(await store.read(hash, { size: 3_500_001, first: 999_999, last: 1_000_000 }));
  expect(across.equals(content.subarray(999_999, 1_000_001))).toBe(true);
  await rm(directory, { recursive: true });
});

test.skipIf(!canRun)('productions store their files in the bucket and read them from it', async () => {
  await using service = await startS3('cairn');
  await using server = await startServer({ config: yaml(service.url), env: ENV });
  await addSchema(server, GREETING);
  await addSchema(server, { ...GREETING, name: 'Echo' });
  await addRule(server, 'greet', GREET, {
    produces: { entity_type: 'Greeting', match: { sample: '{sample}' } },
  });
  const echo = shell(
    'cat $(inputs.greeting.path) > out.txt',
    'greeting: File\nsample: string',
    "uri: {type: File, outputBinding: {glob: out.txt}}\nsample: {type: string, outputBinding: {outputEval: '$(inputs.sample)'}}",
  );
  await addRule(server, 'echo', echo, {
    produces: { entity_type: 'Echo', match: { sample: '{sample}' } },
    requires: [{ ref: 'Greeting' }],
  });
  const { body } = await produce(server, { entity_type: 'Echo', criteria: { sample: 's' } });
  expect(body, JSON.stringify(body)).toMatchObject({
    status: 'completed',
    uri: expect.stringMatching(/^http:.*\/api\/v1\/artifact\/files\//),
  });
  const hash = `sha256:${createHash('sha256').update('hello s\n').digest('hex')}`;
  expect(body.uri.endsWith(hash.slice('sha256:'.length))).toBe(true);
  const part = { headers: { range: 'bytes=6-' } };
  expect((await server.rest('GET', new URL(body.uri).pathname, part)).text).toBe('s\n');
  expect((await server.rest('POST', '/api/v1/artifact/cache/verify')).body).toMatchObject({
    checked: 1,
    missing: [],
    damaged: [],
  });

  const client = s3ClientOf(await loadSdk(), settingsOf(service.url));
  await client.send(new PutObjectCommand({ Bucket: 'cairn', Key: 'in/file.txt', Body: 'from a bucket' }));
  client.destroy();
  await server.rest('POST', '/api/v1/metadata/ingest', {
    body: { entity_type: 'Greeting', data: { uri: 's3://cairn/in/file.txt', sample: 'bucket' } },
  });
  expect(
    (await produce(server, { entity_type: 'Echo', criteria: { sample: 'bucket' } })).body,
    'fetched from s3',
  ).toMatchObject({ status: 'completed' });
  expect((await server.rest('DELETE', '/api/v1/artifact/cache/*')).body).toMatchObject({ evicted: 2 });
  expect((await server.rest('GET', '/api/v1/artifact/resolve?entity_type=Echo&sample=s')).body.decision).toBe(
    'build',
  );
});
