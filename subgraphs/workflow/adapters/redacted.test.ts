// What an adapter's configuration keeps secret is in no log, however a source or a library quotes it.
import path from 'node:path';
import { expect, test } from 'vitest';
import { adapter } from '../../../platform/config/adapter-definition.ts';
import { projectRoot } from '../../../platform/project-root.ts';
import { redactedBy } from './redacted.ts';

const scope = { env: {}, directory: '/' };
const of = (definition: Record<string, unknown>) =>
  redactedBy(
    adapter(scope).parse({ name: 'a', entity_type: 'Sample', map: { id: 'row.id' }, ...definition }),
  );

test('of an http adapter: headers, and parameters of its address that are named like secrets', () => {
  const redacted = of({
    type: 'http',
    url: 'https://lims.test/v1/samples?api_key=k3y-0f-lims&password=p%40ss%2Fword&format=json',
    headers: { Authorization: 'Bearer abc.def.ghi', 'X-Lab': 'lab-secret', accept: 'application/json' },
  });
  for (const quoted of [
    'connect https://ada:p%40ss%2Fword@lims.test/v1/samples?api_key=k3y-0f-lims failed',
    'user p@ss/word is refused',
    'header "authorization: Bearer abc.def.ghi"',
    'token abc.def.ghi has expired',
    'lab-secret, k3y-0f-lims, p%40ss%2Fword',
    'HTTPS://ADA:other@lims.test/v1?token=x',
  ]) {
    const shown = redacted(quoted);
    for (const secret of ['p%40ss', 'p@ss', 'abc.def', 'lab-secret', 'k3y-0f', 'other@', 'token=x'])
      expect(shown).not.toContain(secret);
  }
  expect(redacted('GET https://lims.test:8443/v1/samples?page=2 answered application/json')).toBe(
    'GET https://lims.test:8443 answered application/json',
  );
});

test('of files at an address, databases and modules', () => {
  const csv = of({
    type: 'csv',
    source: 'http://u1ser:pw1@files.test/a.csv',
    headers: { cookie: 'sid=s3ss10n' },
  });
  expect(csv('u1ser pw1 s3ss10n')).toBe('*** *** ***');
  const sql = of({ type: 'sql', url: 'postgres://reader:hunter2@db.test/lab', query: 'SELECT 1' });
  expect(
    sql('password authentication failed for user "reader": hunter2, postgres://reader:hunter2@db.test/lab'),
  ).toBe('password authentication failed for user "***": ***, postgres://db.test');
  const module = redactedBy({
    name: 'm',
    type: 'module',
    module: '/m.ts',
    options: { lims: { api_token: 'tok-1', hosts: ['https://x:y0y0@h.test'] }, limit: 5, label: 'plain' },
  });
  expect(module('tok-1 y0y0 plain')).toBe('*** *** plain');
});

const ofModule = (options: Record<string, unknown>) =>
  redactedBy({ name: 'm', type: 'module', module: '/m.ts', options });

test('of a module: headers, other names of secrets, and what connection strings hold', () => {
  const redacted = ofModule({
    request: { headers: { 'X-Lab': 'lab-s3cret', Cookie: 'sid=c00kie', accept: 'text/csv' } },
    defaultHeaders: [['X-Other', 'oth3r']],
    pwd: 'p-w-d',
    userPin: 4711,
    loginSession: 's3ss10n',
    bearer: 'b34r3r',
    database: 'Server=db.test;Uid=reader;Pwd={se;cr3t};Encrypt=yes',
    libpq: "host=db.test user=reader password='two w0rds'",
    connection: { host: 'hidden.test' },
    mapping: 'by-name',
    shipping: ['samples'],
  });
  for (const secret of [
    ...['lab-s3cret', 'c00kie', 'oth3r', 'p-w-d', '4711', 's3ss10n', 'b34r3r', 'se;cr3t', 'two w0rds'],
    'hidden.test',
  ])
    expect(redacted(`<${secret}>`)).toBe('<***>');
  const shown = 'db.test refused reader: text/csv, by-name, samples';
  expect(redacted(shown)).toBe(shown);
});

test('the value of a password in any text', () => {
  const redacted = of({ type: 'jsonl', source: '/data/a.jsonl' });
  expect(redacted(`Server=db;PWD=other;x=1 password = 'a b', Password={c;d} compass`)).toBe(
    'Server=db;PWD=***;x=1 password = ***, Password=*** compass',
  );
});

test('of a text without end no more is looked at than can be stored, and no half of a secret is at its cut', () => {
  const redacted = ofModule({ token: 'a-very-long-secret' });
  for (const part of [
    'a',
    'a.',
    'a://',
    'pwd=',
    'password= ',
    '=',
    "x='",
    'a-very-long-secret',
    'https://u:p@',
  ])
    expect(redacted(part.repeat(1_000_000 / part.length)).length).toBeLessThan(20_000);
  for (let before = 19_970; before < 20_000; before++)
    expect(
      redacted(`https://h.test/${'x'.repeat(before - 16)} a-very-long-secret${' '.repeat(30_000)}`),
    ).not.toContain('a-');
});

test('nothing is secret in an adapter without secrets', () => {
  const redacted = of({ type: 'jsonl', source: '/data/a.jsonl' });
  expect(redacted('line 3: no JSON, /other/a.jsonl')).toBe('line 3: no JSON, /other/a.jsonl');
});

test('where the files of an adapter are on the server is in no text', () => {
  const csv = of({ type: 'csv', source: '/srv/lab/in/a.csv' });
  expect(csv("ENOENT: no such file or directory, open '/srv/lab/in/a.csv'")).toBe(
    "ENOENT: no such file or directory, open 'a.csv'",
  );
  const others = '/mnt/srv/lab/in/a.csv, a/srv/lab/in/b';
  expect(csv(others)).toBe(others);
  expect(csv('failed\\n/srv/lab/in/a.csv, ../srv/lab/in/a.csv, \u001b[31m/srv/lab/in/a.csv')).toBe(
    'failed\\na.csv, ..a.csv, \u001b[31ma.csv',
  );
  expect(of({ type: 'csv', source: '/a.csv' })("open '/a.csv', 1/2")).toBe("open '/a.csv', 1/2");
  const module = redactedBy({ name: 'm', type: 'module', module: '/srv/lab/m.ts', options: {} });
  const at = path.join(projectRoot, 'platform', 'load-module.ts');
  expect(module(`Cannot find module '/srv/lab/m.ts' imported from ${at}`)).toBe(
    "Cannot find module 'm.ts' imported from platform/load-module.ts",
  );
});
