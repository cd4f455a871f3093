// What the tests of the configuration share.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type ConfigFault, ConfigurationError } from '../../platform/config/faults.ts';
import {
  type Config,
  type ConfigCheck,
  type LoadOptions,
  parseConfig,
} from '../../platform/config/load-config.ts';

export const directory = mkdtempSync(path.join(tmpdir(), 'cairn-config-'));
// Files of a worker share their modules, so the folder lives as long as the worker.
process.once('exit', () => rmSync(directory, { recursive: true, force: true }));

export const file = path.join(directory, 'gateway.yaml');

export const SECRETS = { SHORT: 'fifteen letters', LONG: 'sixteen letters!' };

export const read = (text: string, env: LoadOptions['env'] = SECRETS, checks: ConfigCheck[] = []): Config =>
  parseConfig(text, file, { env, cwd: directory, checks });

export function faultsOf(
  text: string,
  env: LoadOptions['env'] = SECRETS,
  checks: ConfigCheck[] = [],
): readonly ConfigFault[] {
  try {
    read(text, env, checks);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.faults;
    throw error;
  }
  return [];
}

export const INGEST = 'action: {type: ingest, adapter: a}';

export const workflow = (...triggers: string[]): string =>
  `workflow:\n  adapters: [{name: a, type: csv, source: a.csv, entity_type: Sample, map: {id: row.id}}]\n  triggers:\n${triggers.map((t) => `    - {${t}}\n`).join('')}`;
