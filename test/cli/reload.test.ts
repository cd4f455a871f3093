// SIGHUP to a server that can reload its configuration, and the effect of `server.workers` on what is
// started.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import type { Config } from '../../platform/config/load-config.ts';
import { begin } from './command-line.ts';
import { waitFor } from '../testkit/wait-for.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'cairn-reload-'));
afterAll(() => rmSync(directory, { recursive: true }));
const write = (text: string): void =>
  writeFileSync(path.join(directory, 'gateway.yaml'), `observability: {log_level: silent}\n${text}`);

test('SIGHUP from a closed terminal stops a server cleanly; so does any SIGHUP where no reload is possible', async () => {
  for (const [terminalIsGone, able] of [
    [true, { reload: async () => undefined }],
    [false, {}],
  ] as const) {
    write('');
    const closed = vi.fn(async () => undefined);
    const started = begin(['start'], {
      cwd: directory,
      entries: {
        'router/main.ts': {
          startPlatform: async () => ({
            url: 'http://127.0.0.1:9191',
            retire: async () => undefined,
            close: closed,
            ...able,
          }),
        },
      },
    });
    await waitFor(() => {
      expect(started.stdout()).not.toBe('');
    });
    started.hangUp(terminalIsGone);
    expect(await started.ended).toBe(0);
    expect(closed).toHaveBeenCalledOnce();
  }
});

test('with several workers their primary is started, for the router alone as well; a hang-up gives it the file as it is now, if it is sound', async () => {
  for (const args of [['start'], ['start', 'router']]) {
    write('server: {workers: 3}\n');
    const taken: Config[] = [];
    const running = {
      url: 'http://127.0.0.1:9191',
      retire: async () => undefined,
      close: async () => undefined,
      reload: async (config: Config) => {
        taken.push(config);
      },
    };
    const started = begin(args, {
      cwd: directory,
      entries: { 'router/main/workers/primary.ts': { startWorkers: async () => running } },
    });
    await waitFor(() => {
      expect(started.stdout()).not.toBe('');
    });
    write('server: {workers: none}\n');
    started.hangUp();
    write('server: {workers: 5}\n');
    started.hangUp();
    await waitFor(() => {
      expect(taken.map(({ server }) => server.workers)).toEqual([5]);
    });
    started.signal('SIGTERM');
    expect(await started.ended).toBe(0);
  }
});
