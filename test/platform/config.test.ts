// The configuration file: refusals with their locations, the effect of the environment, and defaults.
import { describe, expect, test } from 'vitest';
import { ConfigurationError, faultAt } from '../../platform/config/faults.ts';
import { type ConfigCheck } from '../../platform/config/load-config.ts';
import { FAULTY_DEFINITIONS } from './config-faulty-definitions.ts';
import { FAULTY_SECTIONS } from './config-faulty-sections.ts';
import { SECRETS, faultsOf, INGEST, workflow, read } from './config-testkit.ts';

describe('a fault is named with its path', () => {
  test.each([...FAULTY_SECTIONS, ...FAULTY_DEFINITIONS])('%s', (_, text, where, message) => {
    const faults = faultsOf(text, { S: 'secret', ...SECRETS });
    expect(faults).toContainEqual(
      expect.objectContaining({
        path: where,
        message: expect.stringMatching(message) as string,
        file: 'gateway.yaml',
      }),
    );
    expect(faults.find((f) => f.path === where)?.line).toBeGreaterThan(0);
  });

  test('all faults are listed at once, from top to bottom, each with its line', () => {
    const faults = faultsOf(
      'server:\n  port: x\n  hots: y\nauth:\n  mode: none\nmetadata:\n  expand_limit: 0\nworkflow:\n  triggers:\n    - {name: a}\n    - {name: b}\n',
    );
    expect(faults.map((f) => [f.line, f.path])).toEqual([
      [2, 'server.port'],
      [3, 'server.hots'],
      [5, 'auth.mode'],
      [7, 'metadata.expand_limit'],
      [10, 'workflow.triggers[0].type'],
      [11, 'workflow.triggers[1].type'],
    ]);
  });

  test('a cycle over several triggers is one fault that names the chain', () => {
    const chain = faultsOf(
      workflow(
        `name: start, type: manual, on_success: x, ${INGEST}`,
        `name: one, type: internal_event, event: x, on_success: y, ${INGEST}`,
        `name: two, type: internal_event, event: y, on_failure: {emit: x}, ${INGEST}`,
      ),
    );
    expect(chain.map((f) => [f.path, f.message])).toEqual([
      ['workflow.triggers[1].on_success', 'closes a cycle of triggers: one → (y) → two → (x) → one'],
    ]);
  });

  test('two paths to the same trigger are not a cycle', () => {
    expect(
      faultsOf(
        workflow(
          `name: start, type: manual, on_success: x, on_failure: {emit: y}, ${INGEST}`,
          `name: one, type: internal_event, event: x, on_success: y, ${INGEST}`,
          `name: two, type: internal_event, event: y, ${INGEST}`,
        ),
      ),
    ).toEqual([]);
  });

  test('a message never shows an address that may hold a password', () => {
    const message = new ConfigurationError(
      faultsOf('database: {url: "postgres//u:hunter2@h"}\nserver: {port: "http://u:hunter2@h"}'),
    ).message;
    expect(message).toContain('database.url');
    expect(message).not.toContain('hunter2');
  });

  test.each([
    ['an unclosed list', 'server:\n  host: [a\nauth: 1', 3],
    ['a key twice', 'server: {}\nserver: {}', 2],
    ['an unknown tag', 'server: !env X', 1],
  ])('YAML that is not valid gives line and column: %s', (_, text, line) => {
    const [fault] = faultsOf(text);
    expect(fault).toMatchObject({
      path: '',
      file: 'gateway.yaml',
      line,
      message: expect.stringContaining('not valid YAML') as string,
    });
    expect(fault?.column).toBeGreaterThan(0);
  });

  test('standbys have the primary of the file or of the environment', () => {
    const text = 'database: {read_urls: ["postgresql://db-2/cairn"]}';
    expect(faultsOf(text).map(({ path }) => path)).toEqual(['database.read_urls']);
    const { database } = read(text, { DATABASE_URL: 'postgresql://db-1/cairn' });
    expect(database.readUrls).toEqual(['postgresql://db-2/cairn']);
  });

  test('a check that a component adds runs in the same pass, and sees what is sound', () => {
    const noTuesdays: ConfigCheck = ({ triggers }) =>
      triggers.flatMap((t) =>
        t.type === 'schedule' && t.schedule.endsWith('2')
          ? [faultAt(t.origin, ['schedule'], 'not on Tuesdays')]
          : [],
      );
    const text = workflow(
      `name: broken, type: schedule, ${INGEST}`,
      `name: t, type: schedule, schedule: "0 0 * * 2", ${INGEST}`,
    );
    expect(faultsOf(text, {}, [noTuesdays]).map((f) => [f.path, f.message, f.line])).toEqual([
      ['workflow.triggers[0].schedule', 'is required', 4],
      ['workflow.triggers[1].schedule', 'not on Tuesdays', 5],
    ]);
  });
});
