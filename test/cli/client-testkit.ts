// What the tests of the commands that call a platform share.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Answer, Asked } from './platform-double.ts';

/** What a command asks of a platform, and what it shows. */
export interface Call {
  readonly args: string[];
  readonly answer: Answer;
  readonly asks: Partial<Asked>;
  readonly shows: RegExp;
  readonly json: unknown;
}

export const directory = mkdtempSync(path.join(tmpdir(), 'cairn-client-'));
// Files of a worker share their modules, so the folder lives as long as the worker.
process.once('exit', () => rmSync(directory, { recursive: true, force: true }));

export const nowhere = mkdtempSync(path.join(directory, 'empty-'));

export const ENTITY = {
  id: 'HG1',
  entity_type: 'Sample',
  data: { sex: 'female' },
  version: 2,
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-02T00:00:00Z',
  is_available: true,
};

export const envelope = (data: unknown): Answer => ({
  body: { data, error: null, meta: { schema_version: '1', request_id: 'r' } },
});
