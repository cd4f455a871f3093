// What `cairn ingest` reports of the rows, when it stops, and the order of its requests.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { progressText } from '../../cli/ingest/progress.ts';
import { begin, run } from './command-line.ts';
import { platformDouble } from './platform-double.ts';
import { cwd, answered, BULK, rowsIn, platform, file, ingested, TYPE, row } from './ingest-testkit.ts';

describe('the outcomes of the rows', () => {
  const SOME = 'id,age\na,1\nbad1,x\nold,2\nknown,3\nbad2,y\nq,"1",2\n';

  test('are counted; refusals are grouped by reason, with lines and columns, and the status is 1', async () => {
    const { status, stdout, stderr } = await ingested([file('some.csv', SOME), ...TYPE]);
    expect(stdout).toMatch(/^1 created, 1 updated, 1 unchanged, 3 failed, in [\d.]+ s\n$/);
    expect(stderr).toBe(
      'lines 3, 6, column "age": field age of … must be an integer (422)\n' +
        'line 7: the row has 3 fields, the header has 2\ncairn: 3 of 6 rows failed\n',
    );
    expect(status).toBe(1);
  });

  test('are in the JSON answer', async () => {
    const { stdout } = await ingested([file('some.csv', SOME), ...TYPE, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ ingested: 3, created: 1, updated: 1, unchanged: 1, failed: 3 },
      reasons: [
        { count: 2, lines: [3, 6], column: 'age', status: 422 },
        { count: 1, lines: [7] },
      ],
      errors: [
        { line: 3, column: 'age', status: 422, message: 'field age of bad1 must be an integer' },
        { line: 6, column: 'age', status: 422 },
        { line: 7, column: null, status: null },
      ],
    });
  });

  test.each([
    [
      'rejects.csv',
      'cairn:line,cairn:reason,id,age\n3,field age of bad1 must be an integer,bad1,x\n',
      '7,"the row has 3 fields, the header has 2",q,1,2\n',
    ],
    [
      'rejects.tsv',
      'cairn:line\tcairn:reason\tid\tage\n3\tfield',
      '7\tthe row has 3 fields, the header has 2\tq\t1\t2\n',
    ],
    [
      'rejects.ndjson',
      '{"cairn:line":3,"cairn:reason":"field age of bad1 must be an integer","id":"bad1","age":"x"}\n',
      '"cairn:row":["q","1","2"]}\n',
    ],
  ])('--rejects %s has the refused rows, which load when they are corrected', async (name, begin, end) => {
    await ingested([file('some.csv', SOME), ...TYPE, '--rejects', name]);
    const written = readFileSync(path.join(cwd, name), 'utf8');
    expect([written.startsWith(begin), written.endsWith(end)]).toEqual([true, true]);
    const corrected = written
      .replaceAll('bad', 'good')
      .split('\n')
      .slice(0, name.endsWith('n') ? 2 : 3);
    const again = await ingested([file(`again-${name}`, corrected.join('\n')), ...TYPE, '--id', 'id']);
    expect([again.status, again.rows]).toEqual([0, [row('good1', { age: 'x' }), row('good2', { age: 'y' })]]);
  });

  test('--rejects writes an empty file if no row was refused, and refuses the path of the table itself', async () => {
    await ingested([file('good.csv', 'id\na\n'), ...TYPE, '--rejects', 'none.csv']);
    expect(readFileSync(path.join(cwd, 'none.csv'), 'utf8')).toBe('');
    expect((await ingested([file('good.csv', 'id\na\n'), ...TYPE, '--rejects', './good.csv'])).status).toBe(
      2,
    );
    const lost = await ingested([file('good.csv', 'id\na\n'), ...TYPE, '--rejects', 'no/such/folder.csv']);
    expect([lost.status, lost.stderr]).toEqual([1, expect.stringContaining('--rejects cannot be written')]);
  });

  test('--dry-run asks the platform to write nothing, and says so', async () => {
    const { status, stdout, asked } = await ingested([file('dry.csv', 'id\na\nold\n'), ...TYPE, '--dry-run']);
    expect([status, stdout]).toEqual([
      0,
      '1 created, 0 updated, 1 unchanged, 0 failed: a dry run, nothing was written\n',
    ]);
    expect(asked.map(({ query }) => query)).toEqual([{ dry_run: ['true'] }]);
  });

  test('--all-or-nothing is one request, and only judged if a row cannot be sent', async () => {
    const good = await ingested([file('all.csv', 'id\na\nb\n'), ...TYPE, '--all-or-nothing']);
    expect(good.asked.map(({ query }) => query)).toEqual([{ all_or_nothing: ['true'] }]);
    const bad = await ingested([file('bad.csv', 'id\na\nb,c\n'), ...TYPE, '--all-or-nothing']);
    expect(bad.asked.map(({ query }) => query)).toEqual([{ dry_run: ['true'] }]);
    expect([bad.status, bad.stdout, bad.stderr]).toEqual([
      1,
      '0 created, 0 updated, 0 unchanged, 1 failed: nothing was written\n',
      expect.stringContaining('1 of 2 rows failed'),
    ]);
    const many = ['id', ...Array.from({ length: 20_001 }, (_, i) => `n${i}`)].join('\n');
    const tooMany = await ingested([file('many.csv', many), ...TYPE, '--all-or-nothing']);
    expect([tooMany.status, tooMany.asked, tooMany.stderr]).toEqual([
      1,
      [],
      expect.stringContaining('at most 20000 rows'),
    ]);
  });

  test.each([
    ['{"notes":"x"}', '{"notes":"x"}'],
    ['by hand', '{"notes":"by hand"}'],
  ])('--context %s goes with the request', async (given, sent) => {
    const { asked } = await ingested([file('context.csv', 'id\na\n'), ...TYPE, '--context', given]);
    expect(asked[0]?.headers['x-metadata-context']).toBe(sent);
    expect((await ingested([file('context.csv', 'id\na\n'), ...TYPE, '--context', '{'])).status).toBe(2);
  });

  test('rows without an id are noted once, because a repeated load creates them again', async () => {
    const { stderr } = await ingested([file('noid.csv', 'code\na\nb\n'), ...TYPE]);
    expect(stderr).toBe('note: rows have no id: a repeated load creates them again; --id gives them one\n');
  });
});

describe('a load stops', () => {
  test('if all rows so far are refused for one reason, with one line of advice', async () => {
    const lines = ['id,age', ...Array.from({ length: 5000 }, (_, i) => `bad${i},x`)].join('\n');
    const { status, stderr, rows } = await ingested([file('all-bad.csv', lines), ...TYPE]);
    expect([status, rows.length]).toEqual([1, 100]);
    expect(stderr).toBe(
      'cairn: stopped after 100 rows, 0 of them accepted: all 100 rows so far were refused for one reason: field age of … must be an integer (column "age"). Correct the table or how it is mapped (--map, --id, --skip); --keep-going goes on all the same\n',
    );
    const all = await ingested([file('all-bad.csv', lines), ...TYPE, '--keep-going']);
    expect([all.status, all.rows.length]).toEqual([1, 5000]);
    expect(all.stderr).toContain('lines 2, 3, 4, 5, 6 and 4995 more, column "age"');
  });

  test('not if some rows are accepted', async () => {
    const lines = ['id,age', ...Array.from({ length: 300 }, (_, i) => `${i < 99 ? 'bad' : 'n'}${i},5`)].join(
      '\n',
    );
    expect((await ingested([file('half-bad.csv', lines), ...TYPE])).rows).toHaveLength(300);
  });

  test('if a type does not exist, before anything is sent', async () => {
    const { status, stderr, asked } = await ingested([file('free.csv', 'id,n\nx,5\n'), '--type', 'Free']);
    expect([status, asked, stderr]).toEqual([
      1,
      [],
      expect.stringContaining('there is no type Free: "cairn schemas infer"'),
    ]);
    expect((await ingested([file('untyped.json', '[{"id":"a"}]')])).stderr).toContain(
      'line 1: the record has no entity_type and data; give --type',
    );
  });

  test('if the caller may not write, even while the input continues', async () => {
    const endless = Readable.from(
      (async function* lines() {
        yield Buffer.from('{"id":"a"}\n');
        await sleep(60_000, undefined, { ref: false });
      })(),
    );
    const { status, stderr } = await ingested(['-', ...TYPE], { stdin: endless }, () => ({
      status: 403,
      body: { error: 'insufficient_role', message: 'role analyst is required', request_id: 'r', details: {} },
    }));
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/cairn: role analyst is required \(403 insufficient_role\)\n$/),
    ]);
  });

  test.each([
    [
      'text that is not UTF-8',
      'latin1.csv',
      Buffer.from([0x69, 0x64, 0x0a, 0xe9, 0x0a]),
      /latin1.csv is not valid UTF-8: give its encoding/,
    ],
    ['a JSON array cut off', 'cut.json', '[{"id":"a"},{"id":', /is not closed/],
    ['a quoted field cut off', 'cut.csv', 'id\n"a', /line 2: a quoted field is not closed/],
  ])('at %s', async (_, name, content, message) => {
    const { status, stderr } = await ingested([file(name, content), ...TYPE]);
    expect([status, stderr]).toEqual([1, expect.stringMatching(message)]);
  });
});

test('requests are in the order of the rows; rows with one id are never under way together', async () => {
  let underWay = 0;
  let most = 0;
  let pause = 20;
  const begun: string[][] = [];
  await using double = await platformDouble(async (asked) => {
    if (asked.path !== BULK) return platform(asked);
    const rows = rowsIn(asked);
    begun.push([rows[0]?.id ?? '', rows.at(-1)?.id ?? '']);
    most = Math.max(most, ++underWay);
    await sleep(pause);
    underWay--;
    return answered(rows);
  });
  const load = async (ids: readonly string[], concurrency: string): Promise<number> => {
    [most, underWay] = [0, 0];
    const name = file('order.csv', ['id', ...ids].join('\n'));
    const to = ['--url', double.url, '--key', 'k', '-c', concurrency];
    expect((await run(['ingest', name, ...TYPE, ...to], { cwd })).status).toBe(0);
    return most;
  };
  const ids = Array.from({ length: 15_100 }, (_, i) => `n${i}`);
  expect(await load(ids, '1')).toBe(1);
  expect(begun).toEqual([
    ['n0', 'n99'],
    ['n100', 'n5099'],
    ['n5100', 'n10099'],
    ['n10100', 'n15099'],
  ]);
  pause = 1000; // longer than the rows of a request take to be read
  expect(await load(ids, '3')).toBe(3);
  pause = 20;
  expect(
    await load(
      ids.map((_, i) => `m${i % 100}`),
      '3',
    ),
  ).toBe(1);
});

test('rows of a source that stays open are sent before it ends', async () => {
  let sent = 0;
  const live = Readable.from(
    (async function* lines() {
      yield Buffer.from('{"id":"a"}\n');
      for (let waited = 0; sent === 0 && waited < 20_000; waited += 50) await sleep(50);
      yield Buffer.from(`{"id":"after-${sent}"}\n`);
    })(),
  );
  const { rows } = await ingested(['-', ...TYPE], { stdin: live }, (asked) => {
    if (asked.path === BULK) sent += rowsIn(asked).length;
    return platform(asked);
  });
  expect(rows.map(({ data }) => data['id'])).toEqual(['a', 'after-1']);
});

test('a terminal sees the progress on one line, with total and time left; a pipe sees none', async () => {
  await using double = await platformDouble(async (asked) => {
    await sleep(300);
    return platform(asked);
  });
  const name = file('slow.csv', ['id', ...Array.from({ length: 300_000 }, (_, i) => `n${i}`)].join('\n'));
  const load = async (terminal: boolean): Promise<string> => {
    const args = ['ingest', name, ...TYPE, '--keep-going', '--url', double.url, '--key', 'k'];
    const started = begin(terminal ? args : ['ingest', file('few.csv', 'id\na\n'), ...args.slice(2)], {
      cwd,
      terminal,
    });
    await Promise.race([started.ended, sleep(4000)]);
    return started.stderr();
  };
  expect((await load(true)).split('\r\u001b[K').join('\n')).toMatch(
    /^\d+ of about \d+ rows \(\d+ %\), \d+\/s, \d+ (?:s|min) left/m,
  );
  expect(await load(false)).toBe('');
});

test('progress tells the total and the time left as far as they are known', () => {
  expect(progressText({ done: 4000, failed: 2, part: 0.4 }, 2)).toBe(
    '4000 of about 10000 rows (40 %), 2000/s, 3 s left, 2 failed',
  );
  expect(progressText({ done: 10, failed: 0, part: 0.001 }, 10)).toBe(
    '10 of about 10000 rows (0 %), 1/s, 2 h 47 min left',
  );
  expect(progressText({ done: 50, failed: 0, part: undefined }, 10)).toBe('50 rows, 5/s');
});
