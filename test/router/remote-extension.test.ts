// The extension of a component in another process is followed change by change.
import { createHash } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import type { ComponentResult, PreparedOperation } from '../../platform/component.ts';
import { RemoteExtension } from '../../router/remote/remote-extension.ts';
import { caller } from './library.ts';

/** A component with schemas that a test can change; it reports two at a time. */
class Told {
  version = 0;
  schemas = new Map<string, number>();
  asked: (string | null | undefined)[] = [];
  isAway = false;
  base = 'type Typed { a: Int }';
  register(...names: string[]): void {
    for (const name of names) this.schemas.set(name, ++this.version);
  }

  prepare =
    (source: string): PreparedOperation =>
    (variables) => {
      if (this.isAway) return Promise.resolve({ data: null, errors: [{ message: 'away' }] });
      if (!source.includes('changes'))
        return Promise.resolve({
          data: {
            typedSchema: {
              version: String(this.version),
              rootFields: ['typed'],
              base: this.base,
            },
          },
        });
      const since = variables['since'] as string | null; // The document selects it.
      this.asked.push(since);
      const all = [...this.schemas].sort(([, a], [, b]) => a - b);
      const changed = all.filter(
        ([, revision]) => revision > (since === null || Number(since) > this.version ? 0 : Number(since)),
      );
      const told = changed.slice(0, 2);
      const isLast = told.length === changed.length;
      return Promise.resolve({
        data: {
          typedSchema: {
            version: String(this.version),
            changes: {
              upTo: String(isLast ? this.version : told.at(-1)?.[1]),
              isLast,
              digest: createHash('sha256')
                .update(
                  all
                    .map(([name, revision]) => `${name}@${revision}`)
                    .sort()
                    .join('\n'),
                )
                .digest('hex'),
              schemas: told.map(([schema, revision]) => ({
                schema,
                since: String(revision),
                types: [{ name: schema, sdl: `type ${schema} { v${revision}: Int }` }],
                fields: [],
              })),
            },
          },
        },
      });
    };
}
const types = (extension: RemoteExtension): string[] => [...(extension.current?.parts?.types() ?? [])].sort();

test('the SDL is first read completely, page by page, and then by changes', async () => {
  const told = new Told();
  told.register('A', 'B', 'C', 'D', 'E');
  const extension = new RemoteExtension(told.prepare, caller);
  expect(extension.current).toBeNull();
  await extension.follow();
  expect([types(extension), told.asked, extension.current?.version]).toEqual([
    ['A', 'B', 'C', 'D', 'E'],
    [null, '2', '4'],
    '5',
  ]);
  told.asked = [];
  told.register('F', 'B');
  await extension.heard('7');
  expect(extension.current?.version).toBe('7');
  expect([types(extension), told.asked, extension.current?.parts?.type('B')]).toEqual([
    ['A', 'B', 'C', 'D', 'E', 'F'],
    ['5'],
    'type B { v7: Int }',
  ]);
});

test('an answer that tells of a newer revision is passed on once its types are known, also where a question of before is under way', async () => {
  const told = new Told();
  told.register('A');
  const extension = new RemoteExtension(told.prepare, caller);
  await extension.follow();
  expect(extension.heard('1')).toBeUndefined();
  const before = extension.follow();
  told.register('B');
  await extension.heard('2');
  expect(types(extension)).toEqual(['A', 'B']);
  await before;
});

test('a component that does not tell its types holds an answer back for a second', async () => {
  const told = new Told();
  told.register('A');
  const away = new Promise<ComponentResult>(() => undefined);
  let isSilent = false;
  const extension = new RemoteExtension(
    (source) => (variables, by) => (isSilent ? away : told.prepare(source)(variables, by)),
    caller,
  );
  await extension.follow();
  isSilent = true;
  const began = performance.now();
  await extension.heard('2');
  expect(performance.now() - began).toBeGreaterThan(900);
});

test('the known SDL stays in use if the component does not respond', async () => {
  const told = new Told();
  told.register('A');
  const extension = new RemoteExtension(told.prepare, caller);
  await extension.follow();
  const known = extension.current;
  told.isAway = true;
  told.register('B');
  await extension.follow();
  expect(extension.current).toBe(known);
});

test('a component with another history of changes is read from the beginning', async () => {
  const told = new Told();
  told.register('A', 'B', 'C');
  const extension = new RemoteExtension(told.prepare, caller);
  await extension.follow();
  told.version = 1; // restored to before B and C
  told.schemas = new Map([['A', 1]]);
  told.register('X', 'Y', 'Z');
  told.asked = [];
  await extension.follow();
  expect([types(extension), told.asked[0], told.asked[1]]).toEqual([['A', 'X', 'Y', 'Z'], '3', null]);
});

test('a component process that lags briefly does not revert the extension; one that stays behind does', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const told = new Told();
  told.register('A', 'B');
  const extension = new RemoteExtension(told.prepare, caller);
  await extension.follow();
  told.version = 1;
  told.schemas.delete('B');
  await extension.follow();
  expect(types(extension)).toEqual(['A', 'B']);
  vi.advanceTimersByTime(11_000);
  await extension.follow();
  expect(types(extension)).toEqual(['A']);
  vi.useRealTimers();
});

test('another version of the component may say the same schemas in another way: all are read again', async () => {
  const told = new Told();
  told.register('A', 'B');
  const extension = new RemoteExtension(told.prepare, caller);
  await extension.follow();
  told.asked = [];
  told.base = 'type Typed { b: Int }';
  await extension.follow();
  expect([types(extension), told.asked, extension.current?.sdl]).toEqual([['A', 'B'], [null], told.base]);
});

test('who asks anew is told of what has changed since a question that is under way began', async () => {
  const told = new Told();
  told.register('A');
  let answer = (): void => undefined;
  let isHeld = false;
  const prepare = (source: string): PreparedOperation => {
    const ask = told.prepare(source);
    return async (...asked) => {
      const found = await ask(...asked);
      if (isHeld)
        await new Promise<void>((resolve) => {
          answer = resolve;
        });
      return found;
    };
  };
  const extension = new RemoteExtension(prepare, caller);
  await extension.follow();
  isHeld = true;
  const poll = extension.follow();
  await Promise.resolve(); // it has been asked
  told.register('B');
  const anew = extension.followAnew();
  isHeld = false;
  await new Promise(setImmediate);
  answer();
  await Promise.all([poll, anew]);
  expect(types(extension)).toEqual(['A', 'B']);
});
