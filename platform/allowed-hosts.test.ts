import { expect, test } from 'vitest';
import { createCheckHost, readHost } from './allowed-hosts.ts';

test.each([
  ['Cairn.Example.ORG', 'cairn.example.org', undefined],
  ['cairn.example.org.', 'cairn.example.org', undefined],
  ['cairn.example.org.:8080', 'cairn.example.org', '8080'],
  ['127.0.0.1:8080', '127.0.0.1', '8080'],
  ['[::1]', '::1', undefined],
  ['[::1]:80', '::1', '80'],
  ['[0:0:0:0:0:0:0:1]:1', '::1', '1'],
  ['[::ffff:127.0.0.1]:80', '127.0.0.1', '80'],
  ['0x7f.1', '127.0.0.1', undefined],
])('%s is %s, port %s', (text, name, port) => {
  expect(readHost(text)).toEqual({ name, port });
});

test.each([
  '',
  ' ',
  'a b',
  'localhost/',
  'localhost:',
  'localhost:x',
  'localhost:80:80',
  'user@localhost',
  'localhost#',
  'localhost?',
  'a\\b',
  '[::1',
  '::1',
  'localhost:99999',
  'http://localhost',
])('%j names no host', (text) => {
  expect(readHost(text)).toBeUndefined();
});

const allows = (
  host: string | undefined,
  configured?: readonly string[],
  localAddress = '127.0.0.1',
): boolean => {
  const check = createCheckHost({
    configured,
    served: () =>
      ['https://cairn.example.org:8443/base', '0.0.0.0'].map((text) =>
        URL.canParse(text) ? new URL(text).host : text,
      ),
  });
  // the only properties that are read
  const req = { headers: { host }, socket: { localAddress } } as Parameters<typeof check>[0];
  try {
    check(req);
    check(req);
    return true;
  } catch (refusal) {
    expect(refusal).toMatchObject({ code: 'misdirected_request', status: 421 });
    return false;
  }
};

test.each([
  'localhost',
  'LOCALHOST:9',
  'localhost.',
  '127.0.0.1:8080',
  '[::1]:8080',
  'cairn.example.org',
  'cairn.example.org:8443',
])('%s is served unless something else is configured', (host) => {
  expect(allows(host)).toBe(true);
  expect(allows(host, ['other.example'])).toBe(false);
});

test.each([
  undefined,
  '',
  'evil.example',
  'localhost.evil.example',
  'evil-localhost',
  'a.localhost',
  '127.0.0.1.evil.example',
  'cairn.example.org.evil',
  'evilcairn.example.org',
  'a.cairn.example.org',
  '0.0.0.0',
  '127.0.0.2',
  '10.1.2.3',
  '[::]',
  'localhost@evil.example',
])('%s is not served', (host) => {
  expect(allows(host)).toBe(false);
});

test('the address that a connection came to is served, and no other', () => {
  expect(allows('10.1.2.3:8080', undefined, '::ffff:10.1.2.3')).toBe(true);
  expect(allows('[fd00::1]', undefined, 'fd00::1')).toBe(true);
  expect(allows('10.1.2.4', undefined, '::ffff:10.1.2.3')).toBe(false);
});

test('a configured name counts with any port, one with a port with that one', () => {
  expect(
    ['a.example', 'a.example:1', 'A.example.:2', 'b.example:8080'].map((host) =>
      allows(host, ['a.example', 'b.example:8080']),
    ),
  ).toEqual([true, true, true, true]);
  expect(
    ['b.example', 'b.example:1', 'localhost'].map((host) => allows(host, ['a.example', 'b.example:8080'])),
  ).toEqual([false, false, false]);
  expect(allows('b.example', ['b.example:80'])).toBe(true);
});
