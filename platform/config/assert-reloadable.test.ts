import { expect, test } from 'vitest';
import { assertReloadable } from './assert-reloadable.ts';
import { type Config, parseConfig } from './load-config.ts';

const read = (text: string): Config => parseConfig(text, '/srv/gateway.yaml', { env: {}, cwd: '/srv' });
const refused = (served: 'process' | 'workers', text: string): string => {
  try {
    assertReloadable(read('server: {workers: 2}'), read(text), served);
    return '';
  } catch (error) {
    return String(error).replace(/^Error: | cannot change.*$/g, '');
  }
};

test.each(['process', 'workers'] as const)(
  'the listen address of a %s cannot be changed by a reload',
  (served) => {
    expect(refused(served, 'server: {workers: 2, host: "127.0.0.2"}')).toBe('server.host');
    expect(refused(served, 'server: {workers: 2, port: 9}')).toBe('server.port');
    expect(refused(served, 'server: {workers: 2}\ndatabase: {wait_seconds: 9}')).toBe('database');
    expect(refused(served, 'server: {workers: 2}\ncors: {max_age: 9}')).toBe('');
  },
);

test('a reload may change the number of workers, unless several processes would share an audit file', () => {
  expect(refused('workers', 'server: {workers: 3}')).toBe('');
  expect(refused('process', 'server: {workers: 3}')).toBe('server.workers');
  const audit = 'server: {workers: 2}\nobservability: {audit_log: {enabled: false}}';
  expect(refused('workers', audit)).toBe('observability.audit_log');
  expect(refused('process', audit)).toBe('');
});
