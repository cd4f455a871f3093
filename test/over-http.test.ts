// What users see must be the same where every component is another service, reached over HTTP: the tests of test/acceptance
// once more. In one file, so that no further workers import the product for them.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { started } from './testkit/server.ts';

const folder = path.join(import.meta.dirname, 'acceptance');
const FILES = readdirSync(folder).filter((name) => name.endsWith('.test.ts'));

test('there are tests to run over HTTP', () => {
  expect(FILES.length).toBeGreaterThan(20);
});

describe.each(FILES)('%s over HTTP', async (name) => {
  let before = 0;
  beforeAll(() => {
    before = started.overHttp;
    process.env['CAIRN_TEST_TRANSPORT'] = 'http';
  });
  afterAll(() => {
    delete process.env['CAIRN_TEST_TRANSPORT'];
    expect(started.overHttp).toBeGreaterThan(before);
  });
  await import(path.join(folder, name));
});
