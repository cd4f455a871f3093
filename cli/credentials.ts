// Stores the tokens of `cairn login` for other commands: one private file per user with one entry per
// platform. Tokens are refreshed before they expire.
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemErrorCode } from '../platform/system-error-code.ts';
import { Failure } from './failure.ts';
import type { Session } from './session.ts';

export interface Login {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Expiry time of the access token, in milliseconds since the epoch. */
  readonly expiresAt: number;
  readonly actor: string;
}

/** By base URL, without a trailing slash. */
type Logins = Readonly<Record<string, Login>>;

/**
 * Returns the path of the file in the user's configuration directory; undefined where the environment does
 * not name one.
 */
export function credentialsFile({ env }: Session): string | undefined {
  const directory =
    env['XDG_CONFIG_HOME'] || env['APPDATA'] || (env['HOME'] ? path.join(env['HOME'], '.config') : undefined);
  return directory === undefined ? undefined : path.join(directory, 'cairn', 'credentials.json');
}

const isLogin = (value: unknown): value is Login => {
  if (typeof value !== 'object' || value === null) return false;
  // checked above to be an object
  const { accessToken, refreshToken, expiresAt, actor } = value as Record<string, unknown>;
  return (
    [accessToken, refreshToken, actor].every((text) => typeof text === 'string') &&
    typeof expiresAt === 'number'
  );
};

/** As below the home folder of another account, which the environment of a service may name: nothing was kept there. */
function isOutOfReach(directory: string): boolean {
  try {
    statSync(directory);
    return false;
  } catch (fault) {
    return systemErrorCode(fault) === 'EACCES';
  }
}

function readAll(file: string): Logins {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (fault) {
    if (systemErrorCode(fault) === 'ENOENT' || isOutOfReach(path.dirname(file))) return {};
    throw new Failure(
      `${file} cannot be read: ${fault instanceof Error ? fault.message : String(fault)}`,
      {},
      { cause: fault },
    );
  }
  try {
    const held: unknown = JSON.parse(text);
    if (typeof held === 'object' && held !== null)
      return Object.fromEntries(
        Object.entries(held).filter((entry): entry is [string, Login] => isLogin(entry[1])),
      );
  } catch (fault) {
    if (!(fault instanceof SyntaxError)) throw fault;
  }
  throw new Failure(`${file} is damaged; delete it and sign in again`, { file });
}

/**
 * Writes a temporary file and renames it, so that no reader sees a partial file. Only the owner may read it.
 */
function writeAll(file: string, logins: Logins): void {
  const aside = `${file}.${process.pid}`;
  writeFileSync(aside, `${JSON.stringify(logins, null, 2)}\n`, { mode: 0o600 });
  chmodSync(aside, 0o600);
  renameSync(aside, file);
}

export function findLogin(session: Session, url: string): Login | undefined {
  const file = credentialsFile(session);
  const logins = file === undefined ? {} : readAll(file);
  return Object.hasOwn(logins, url) ? logins[url] : undefined;
}

/**
 * Age in milliseconds after which a lock counts as abandoned. A lock is held for no longer than one request.
 */
const STALE = 30_000;

function tryLock(lock: string): boolean {
  try {
    closeSync(openSync(lock, 'wx', 0o600));
    return true;
  } catch (fault) {
    if (systemErrorCode(fault) === 'EEXIST') return false;
    throw fault;
  }
}

const ageOf = (lock: string): number =>
  Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());

/**
 * Runs `work` while no other command of this user changes the file. Two concurrent refreshes would end the
 * sign-in.
 */
async function locked<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  chmodSync(path.dirname(file), 0o700); // also where the directory existed before
  const lock = `${file}.lock`;
  while (!tryLock(lock)) {
    if (ageOf(lock) > STALE) rmSync(lock, { force: true });
    else await sleep(50);
  }
  try {
    return await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

/**
 * Replaces the login for `url` by the result of `change`; undefined removes it. Concurrent commands run one
 * after another, each with the previous one's result.
 * @throws Failure where there is no directory for the file
 */
export async function changeLogin(
  session: Session,
  url: string,
  change: (login: Login | undefined) => Promise<Login | undefined>,
): Promise<Login | undefined> {
  const file = credentialsFile(session);
  if (file === undefined) throw new Failure('no directory for credentials: set HOME or XDG_CONFIG_HOME');
  return locked(file, async () => {
    const before = findLogin(session, url);
    const after = await change(before);
    if (after !== before) {
      const { [url]: _, ...others } = readAll(file);
      writeAll(file, after === undefined ? others : { ...others, [url]: after });
    }
    return after;
  });
}
