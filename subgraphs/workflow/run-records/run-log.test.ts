// Logs are bounded, and a line is a line.
import { expect, test } from 'vitest';
import { lineOf, MAX_BYTES, MAX_LINES, RunLog } from './run-log.ts';

const bytesOf = (lines: readonly { readonly message: string }[]): number =>
  lines.reduce((sum, { message }) => sum + Buffer.byteLength(message), 0);

test('a log of many lines is cut once, says so, and still tells how the attempt ended', () => {
  const log = new RunLog();
  log.noteAlways('info', 'attempt 1 begins');
  for (let i = 0; i < MAX_LINES * 2; i++) log.note('warn', `record ${i}`);
  log.noteAlways('info', 'attempt 1 ends');
  const lines = log.take();
  expect(lines).toHaveLength(MAX_LINES + 1);
  expect(lines.at(-2)?.message).toContain('the log is cut here');
  expect(lines.at(-1)?.message).toBe('attempt 1 ends');
  expect(lines.map(({ number }) => number)).toEqual(lines.map((_, i) => i + 1));
  expect(log.take()).toEqual([]);
});

test('long lines are shortened, and the bytes of a log are bounded over all attempts', () => {
  const first = new RunLog();
  for (let i = 0; i < 300; i++) first.note('info', '€'.repeat(5000));
  const lines = first.take();
  expect(bytesOf(lines)).toBeLessThanOrEqual(MAX_BYTES);
  expect(lines.at(-1)?.message).toContain('the log is cut here');
  const bytes = lines.reduce((sum, line) => sum + line.bytes, 0);
  const second = new RunLog({ lines: lines.length, bytes });
  second.note('info', 'short');
  expect(second.take()).toEqual([]);
  second.noteAlways('info', 'attempt 2 ends');
  expect(second.take()).toMatchObject([{ number: lines.length + 1, message: 'attempt 2 ends' }]);
});

test('what a source sends is one line that can be stored, and lines that could not be stored come again first', () => {
  const log = new RunLog();
  log.note('warn', 'a\r\n2026-01-01 error forged\u2028b\u0000c\ud800 \u001b[31mred');
  const taken = log.take();
  expect(taken[0]?.message).toBe('a 2026-01-01 error forged b\ufffdc\ufffd  [31mred');
  log.note('info', 'later');
  log.giveBack(taken);
  expect(log.take().map(({ number }) => number)).toEqual([1, 2]);
  expect(lineOf('error', 'x').number).toBeNull();
});
