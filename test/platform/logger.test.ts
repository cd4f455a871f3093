// The log: JSON lines for machines, text lines for people, secrets in neither.
import { expect, test } from 'vitest';
import { componentLogger, createLogger } from '../../platform/logger.ts';

function logged(
  mode: 'development' | 'production',
  write: (log: ReturnType<typeof createLogger>) => void,
  level?: string,
): string {
  let text = '';
  write(
    createLogger({
      mode,
      destination: {
        write: (line: string) => {
          text += line;
        },
      },
      ...(level === undefined ? {} : { level }),
    }),
  );
  return text;
}

const SECRETS = {
  password: 'hunter2',
  token: 'hunter2',
  secret: 'hunter2',
  client_secret: 'hunter2',
  headers: { authorization: 'Bearer hunter2', 'x-api-key': 'hunter2' },
  request: { headers: { authorization: 'Bearer hunter2', 'X-Api-Key': 'hunter2', accept: 'text/plain' } },
};

test.each(['development', 'production'] as const)(
  'in %s, secrets are blacked out down to two levels, and nothing else is',
  (mode) => {
    const text = logged(mode, (log) => {
      log.info(SECRETS, 'hello');
    });
    expect(text).toContain('hello');
    expect(text).toContain('text/plain');
    expect(text).not.toContain('hunter2');
    expect(text.match(/\[secret\]/g)).toHaveLength(8);
  },
);

test('in production a line is JSON with time, level, component and error', () => {
  const line = logged('production', (log) => {
    componentLogger(log, 'metadata').error({ err: new Error('boom'), n: 1 }, 'failed');
  });
  expect(JSON.parse(line)).toMatchObject({
    level: 'error',
    component: 'metadata',
    msg: 'failed',
    n: 1,
    pid: process.pid,
    err: { type: 'Error', message: 'boom' },
  });
  expect((JSON.parse(line) as { time: string }).time).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
});

test("in development a line is for people, with an error's stack below it", () => {
  const text = logged('development', (log) => {
    componentLogger(log, 'metadata').warn({ err: new Error('boom'), n: 1, who: 'me' }, 'failed');
  });
  expect(text).toMatch(/^\d\d:\d\d:\d\d\.\d{3} warn {2}metadata: failed n=1 who=me\nError: boom\n {4}at /);
});

test('messages below the level are not written', () => {
  expect(
    logged(
      'development',
      (log) => {
        log.info('quiet');
        log.warn('loud');
      },
      'warn',
    ),
  ).toMatch(/^[^\n]*loud\n$/);
});
