// Variables whose values are in files: where a configuration needs NAME and only NAME_FILE is set, the file that it
// names has the value, as secrets of containers and credentials of service managers are handed over.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { systemErrorCode } from '../system-error-code.ts';
import type { Environment } from './environment.ts';
import type { ConfigFault } from './faults.ts';

/** In bytes: more is not a secret, but a mistake. */
const FILE_LIMIT = 64 * 1024;

export interface Variables {
  /** Each file is read at most once, when its variable is asked for. */
  readonly env: Environment;
  /** What could not be read so far. */
  readonly faults: readonly ConfigFault[];
}

/**
 * The environment, with values from files (docs/reference/gateway.md#file-and-environment).
 * @param cwd where relative paths begin
 */
export function variablesOf(env: Environment, cwd: string): Variables {
  const faults: ConfigFault[] = [];
  const fault = (variable: string, message: string): undefined => {
    faults.push({ path: variable, message });
    return undefined;
  };
  const read = (name: string): string | undefined => {
    const variable = `${name}_FILE`;
    const file = env[variable];
    if (!file) return env[name];
    if (env[name]) return fault(variable, `${name} and ${variable} are both set: only one of them can count`);
    try {
      const text = readFileSync(path.resolve(cwd, file), 'utf8');
      if (text.length > FILE_LIMIT) return fault(variable, `the file ${file} is too large for a value`);
      return text.replace(/\r?\n$/, '');
    } catch (error) {
      return fault(variable, `the file ${file} cannot be read: ${systemErrorCode(error) ?? String(error)}`);
    }
  };
  const known = new Map<string, string | undefined>();
  return {
    faults,
    env: new Proxy(env, {
      get(_, name) {
        if (typeof name !== 'string') return undefined;
        if (!known.has(name)) known.set(name, read(name));
        return known.get(name);
      },
    }),
  };
}
