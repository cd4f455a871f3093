// What can be done next, in another terminal, once a server has started: lines for a shell, as they are.
import path from 'node:path';
import { COMMAND, isBuilt } from '../platform/command-name.ts';
import type { Config } from '../platform/config/load-config.ts';
import { projectRoot } from '../platform/project-root.ts';
import type { Paint } from './output.ts';
import { pinnedKey } from './own-certificate.ts';
import { DEFAULT_URL } from './target.ts';

interface StartedAt {
  readonly url: string;
  readonly api: string;
  readonly admin_key_file?: string;
}

/** How the server found its configuration. */
export interface ConfiguredBy {
  readonly file: string;
  /** Whether CAIRN_PORT has replaced the port of the file. */
  readonly isPortGiven: boolean;
}

const quoted = (text: string): string =>
  /^[\w./:@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** This command line, by its path where it may not be on that of the shell. */
export const OWN_COMMAND = isBuilt ? `node ${quoted(path.join(projectRoot, 'cli/cairn.mjs'))}` : COMMAND;

/** Whether the examples find the server and the key by their defaults. */
const isFound = ({ url, admin_key_file: key }: StartedAt): boolean =>
  url === DEFAULT_URL &&
  (key === undefined || path.resolve(key) === path.join(projectRoot, 'data/admin-key'));

export function nextSteps(paint: Paint, at: StartedAt, config: Config, by: ConfiguredBy): string[] {
  const { tls } = config.server;
  const key = at.admin_key_file === undefined ? undefined : `$(cat ${quoted(at.admin_key_file)})`;
  const variables = [
    // by which the command line knows the certificate
    ...(tls ? [`CAIRN_CONFIG=${quoted(by.file)}`] : []),
    ...(tls && by.isPortGiven ? [`CAIRN_PORT=${new URL(at.url).port || 443}`] : []),
    `CAIRN_URL=${at.url}`,
    ...(key === undefined ? [] : [`CAIRN_KEY=${key}`]),
  ];
  const pin = pinnedKey(config);
  return [
    ...(isFound(at) ? [] : [`  export ${variables.join(' ')}`]),
    // the examples have no certificate but those that Node knows
    ...(tls || isBuilt ? [] : [`  npm run example     ${paint.dim('load example data')}`]),
    `  ${OWN_COMMAND} --help    ${paint.dim('list all commands')}`,
    ...(key === undefined || (tls && pin === undefined)
      ? []
      : [
          // whatever the certificate names, its key is that of the server
          `  curl ${pin === undefined ? '' : `-k --pinnedpubkey ${pin} `}-H "X-Api-Key: ${key}" ${at.api}metadata/entities`,
        ]),
  ];
}
