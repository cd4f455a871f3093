import { expect, test } from 'vitest';
import { logOutline } from './log-outline.ts';

test('a log is outlined by the last that it says of each step, without times and commands', () => {
  const log = `INFO cwltool 3.1
[2026-01-31 09:30:00] INFO [workflow ] start
[2026-01-31 09:30:00] INFO [step sort] start
[2026-01-31 09:30:01] INFO [job sort] /tmp/x$ sort -k [step no] completed success of nothing
some output
[2026-01-31 09:30:02] WARNING [job sort] exited with status: 1
[2026-01-31 09:30:02] WARNING [job sort] completed permanentFail
[2026-01-31 09:30:03] WARNING [step sort] completed permanentFail\r`;
  expect(logOutline(log)).toEqual({
    workflow: 'start',
    'step sort': 'completed permanentFail',
    'job sort': 'completed permanentFail',
  });
  expect(logOutline('')).toEqual({});
});
