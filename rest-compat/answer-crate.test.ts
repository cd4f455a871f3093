// The archive of a crate with many files (docs/reference/artifact.md#ro-crate).
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { RequestContext } from '../platform/request-context.ts';
import { storedFileAddress } from '../platform/stored-file-address.ts';
import { sendCrate } from './answer-crate.ts';
import type { Prepare } from './answering.ts';

const hashOf = (i: number): string => `sha256:${i.toString(16).padStart(64, '0')}`;

test('the files of a crate are asked for together, and those that are evicted or not the caller’s stay addresses', async () => {
  const asked: number[] = [];
  const prepare = (() => ({
    run: (variables: Record<string, string>) => {
      asked.push(Object.keys(variables).length);
      const files = Object.entries(variables).map(([name, hash]) => {
        const number = Number.parseInt(hash.slice(-4), 16);
        if (number === 1) return [name.replace('h', 'f'), null];
        return [name.replace('h', 'f'), { size: 1, evictedAt: number === 2 ? '2026-01-01T00:00:00Z' : null }];
      });
      return Promise.resolve({ data: Object.fromEntries(files) as unknown });
    },
  })) as unknown as Prepare;
  const nodes = Array.from({ length: 70 }, (_, i) => ({
    '@id': storedFileAddress('http://cairn', hashOf(i)),
    '@type': 'File',
    name: `f${i}.txt`,
  }));
  const res = Object.assign(new PassThrough(), { writeHead: () => undefined });
  const ctx = { req: { method: 'GET' }, res, caller: {} } as unknown as RequestContext;
  const archive = buffer(res);
  // the first of them stands in the metadata twice
  await sendCrate(ctx, { '@graph': [...nodes, { ...nodes[0], name: 'again.txt' }] }, 'e', {
    prepare,
    content: () => Promise.resolve(Readable.from(['x'])),
  });
  expect(asked).toEqual([32, 32, 6]);
  const text = (await archive).toString('latin1');
  const held = new Set([...text.matchAll(/files\/[0-9a-f]{12}\/([a-z0-9]+\.txt)/g)].map(([, name]) => name));
  expect([held.size, held.has('f1.txt'), held.has('f2.txt'), held.has('again.txt')]).toEqual([
    69,
    false,
    false,
    true,
  ]);
});
