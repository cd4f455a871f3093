// docs/reference/artifact.md#fetching-cwl: workflows are never fetched from private networks.
import { expect, test } from 'vitest';
import { fetchCwl } from '../../subgraphs/artifact/cwl-source/fetch-cwl.ts';
import { addressCheck } from '../../subgraphs/artifact/cwl-source/public-addresses.ts';
import { canary, HANG } from './registration-testkit.ts';

const strict = { mayConnect: addressCheck([]) };
const loopback = { mayConnect: addressCheck(['127.0.0.0/8']) };

test.each([
  '127.0.0.1',
  '2130706433',
  '0x7f.1',
  '0177.0.0.1',
  '127.1',
  '１２７.0.0.1',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  'localhost',
  'LOCALHOST.',
  '0.0.0.0',
  '0',
  '[::]',
])('nothing at http://%s is connected to', async (host) => {
  await using web = await canary({ '/a.cwl': 'x' });
  await expect(fetchCwl(`http://${host}:${web.port}/a.cwl`, strict)).rejects.toThrow(
    /not public|unknown host/,
  );
  expect(web.seen).toEqual([]);
});

test.each([
  '10.1.2.3',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  'fe80::1',
  'fd00::1',
  'ff02::1',
  '64:ff9b::a00:1',
  '2002:7f00:1::',
  '2001::1',
  '::ffff:10.0.0.1',
])('%s is not public', (address) => {
  expect(strict.mayConnect(address)).toBe(false);
});

test.each(['8.8.8.8', '1.1.1.1', '2606:4700::1111'])('%s is public', (address) => {
  expect(strict.mayConnect(address)).toBe(true);
});

test('sources that the operator allows are fetched', async () => {
  await using web = await canary({ '/a.cwl': 'text' });
  expect((await fetchCwl(web.url('/a.cwl'), loopback)).bytes.toString()).toBe('text');
  expect(loopback.mayConnect('::ffff:127.0.0.1')).toBe(true);
});

test.each([
  'file:///etc/passwd',
  'data:,x',
  'ftp://example.org/a',
  'gopher://example.org',
  'javascript:1',
  'nonsense',
  'http://user:secret@127.0.0.1/',
])('%s is refused and not fetched', async (url) => {
  await expect(fetchCwl(url, loopback)).rejects.toThrow(
    /must be http or https|is not a valid URL|must not contain a user name/,
  );
});

test('a redirect into a private network is not followed', async () => {
  await using inner = await canary({ '/secret': 'x' });
  await using outer = await canary({
    '/a.cwl': { status: 302, headers: { location: inner.url('/secret').replace('127.0.0.1', '127.0.0.2') } },
  });
  await expect(
    fetchCwl(outer.url('/a.cwl'), { mayConnect: (address) => address === '127.0.0.1' }),
  ).rejects.toThrow(/not public/);
  expect([outer.seen, inner.seen]).toEqual([['/a.cwl'], []]);
});

test('a redirect to another scheme is not followed', async () => {
  await using web = await canary({ '/a.cwl': { status: 302, headers: { location: 'file:///etc/passwd' } } });
  await expect(fetchCwl(web.url('/a.cwl'), loopback)).rejects.toThrow(/must be http or https/);
});

test('five redirects are followed, a sixth is not', async () => {
  const hop = (to: string) => ({ status: 302, headers: { location: to } });
  await using web = await canary({
    '/0': hop('/1'),
    '/1': hop('/2'),
    '/2': hop('/3'),
    '/3': hop('/4'),
    '/4': hop('/5'),
    '/5': hop('/6'),
    '/6': 'end',
  });
  expect((await fetchCwl(web.url('/1'), loopback)).url).toBe(web.url('/6'));
  await expect(fetchCwl(web.url('/0'), loopback)).rejects.toThrow('redirects more than 5 times');
});

test('a name is looked up once and its checked address is the one connected to, whatever it means later', async () => {
  await using web = await canary({ '/a.cwl': 'text' });
  let lookups = 0;
  const rebinding = () => Promise.resolve([lookups++ === 0 ? '127.0.0.1' : '10.0.0.1']);
  expect(
    (
      await fetchCwl(`http://rebind.test:${web.port}/a.cwl`, { ...loopback, resolve: rebinding })
    ).bytes.toString(),
  ).toBe('text');
  expect(lookups).toBe(1);
});

test('a name with one private address among public ones is refused', async () => {
  await using web = await canary({ '/a.cwl': 'text' });
  await expect(
    fetchCwl(`http://mixed.test:${web.port}/a.cwl`, {
      ...strict,
      resolve: () => Promise.resolve(['8.8.8.8', '127.0.0.1']),
    }),
  ).rejects.toThrow(/not public/);
  expect(web.seen).toEqual([]);
});

test('more than 1 MiB is refused, whether or not the size is declared', async () => {
  const large = 'x'.repeat(2 ** 20 + 1);
  await using web = await canary({
    '/told': { status: 200, headers: { 'content-length': String(large.length) }, body: large },
    '/untold': { status: 200, headers: { 'transfer-encoding': 'chunked' }, body: large },
    '/just': 'x'.repeat(2 ** 20),
  });
  await expect(fetchCwl(web.url('/told'), loopback)).rejects.toThrow('larger than 1 MiB');
  await expect(fetchCwl(web.url('/untold'), loopback)).rejects.toThrow('larger than 1 MiB');
  expect((await fetchCwl(web.url('/just'), loopback)).bytes).toHaveLength(2 ** 20);
});

test('a host that does not respond in time is abandoned', async () => {
  await using web = await canary({ '/a.cwl': HANG });
  await expect(fetchCwl(web.url('/a.cwl'), { ...loopback, timeoutMs: 300 })).rejects.toThrow(
    'does not respond within 0.3 s',
  );
  await expect(
    fetchCwl('http://slow.test/', {
      ...loopback,
      timeoutMs: 300,
      resolve: () => new Promise(() => undefined),
    }),
  ).rejects.toThrow('does not respond within 0.3 s');
});
