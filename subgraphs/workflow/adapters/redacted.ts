// Texts about an adapter without what its configuration keeps secret, and without where its files are on the server:
// errors of sources and libraries may quote both, and callers read them (docs/reference/api-conventions.md#masking).
import path from 'node:path';
import { projectRoot } from '../../../platform/project-root.ts';
import { isObject } from '../../../platform/json-object.ts';
import type { ConfiguredAdapter } from './open-adapter.ts';

/** Shorter ones are no secrets, and would be found in any text. */
const MIN_SECRET = 3;
/** Names of settings whose values are secret, in snake case. */
const SECRET =
  /auth|bearer|connection|cookie|credential|dsn|key|pass|private|pwd|secret|session|sig|token|(?<![a-z])pin(?![a-z])/i;
/** Headers whose values are not. */
const PLAIN_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'accept-language',
  'content-type',
  'user-agent',
]);
/**
 * Scheme and host of an address are shown, what follows may be a secret. The scheme is bounded, since it is looked
 * for from every letter.
 */
const ADDRESS = /([a-z][a-z0-9+.-]{0,30}:\/\/)(?:[^\s/?#"'<>]*@)?([^\s/?#"'<>@]*)[^\s"'<>]*/gi;
/** A setting in a connection string, such as `Server=db;Pwd={a;b}` or `host=db password='a b'`. */
const SETTING = /([\w.-]{1,64})\s{0,3}=\s{0,3}("[^"]*"|'[^']*'|\{[^}]*\}|[^\s;,&"'{}]+)/g;
/** One whose value is shown in no text, whoever has configured it. */
const PASSWORD =
  /(pass(?:word|wd|phrase)?|pwd)(\s{0,3}=\s{0,3})(?:"[^"]{0,2000}"|'[^']{0,2000}'|\{[^}]{0,2000}\}|[^\s;,&"'{}]+)/gi;
/** Of longer texts, which a source may send, this much is looked at: ten times what is stored. */
const MAX_TEXT = 20_000;
/** What is left out at the cut, where half a secret may be. */
const AT_THE_CUT = 1000;

const isSecretName = (name: string): boolean => SECRET.test(name.replaceAll(/([a-z\d])([A-Z])/g, '$1_$2'));

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // it stands for itself
  }
}

function secretsOfAddress(address: string): string[] {
  if (!URL.canParse(address)) return [];
  const { username, password, searchParams } = new URL(address);
  const given = [...searchParams].filter(([name]) => isSecretName(name)).map(([, value]) => value);
  return [username, password, ...given];
}

/** Values of a connection string's settings with the name of a secret. */
const secretsOfSettings = (text: string): string[] =>
  [...text.matchAll(SETTING)].flatMap(([, name = '', value = '']) =>
    isSecretName(name) ? [value, value.replace(/^["'{](.*)["'}]$/s, '$1')] : [],
  );

// of `Bearer abc` either part, as a server may quote it
const secretsOfHeader = (name: string, value: string): string[] =>
  PLAIN_HEADERS.has(name.toLowerCase()) ? [] : [value, ...value.split(/[\s,;=]+/)];

/** Strings and numbers below settings with the name of a secret, at any depth, and headers. */
function secretsBelow(value: unknown, isSecret = false): string[] {
  if (typeof value === 'number') return isSecret ? [String(value)] : [];
  if (typeof value === 'string')
    return [...(isSecret ? [value] : []), ...secretsOfAddress(value), ...secretsOfSettings(value)];
  if (Array.isArray(value)) return value.flatMap((item) => secretsBelow(item, isSecret));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, item]) =>
    /headers$/i.test(name) ? secretsOfHeaders(item) : secretsBelow(item, isSecret || isSecretName(name)),
  );
}

/** Of an object, of pairs, of lines, or of anything else below headers: every string that is not plain. */
function secretsOfHeaders(value: unknown, name = ''): string[] {
  if (typeof value === 'string' || typeof value === 'number') return secretsOfHeader(name, String(value));
  if (Array.isArray(value)) return value.flatMap((item) => secretsOfHeaders(item, name));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([own, item]) => secretsOfHeaders(item, own));
}

function secretsOf(adapter: ConfiguredAdapter): string[] {
  if (adapter.type === 'module') return secretsBelow(adapter.options);
  if (adapter.type === 'sql') return secretsOfAddress(adapter.url);
  const headers = secretsOfHeaders(adapter.headers);
  const { url } = 'url' in adapter ? adapter : { url: '', ...adapter.source };
  return [...headers, ...secretsOfAddress(url)];
}

/** The folders that errors about its files may name, each with the separator after it. */
function foldersOf(adapter: ConfiguredAdapter): string[] {
  const folder = (file: string): string => path.join(path.dirname(file), path.sep);
  if (adapter.type === 'module') return [folder(adapter.module), path.join(projectRoot, path.sep)];
  return 'source' in adapter && 'file' in adapter.source ? [folder(adapter.source.file)] : [];
}

/** The end of a name, and not of an escape: what follows is a part of another path. */
const NAME_ENDS = /(?<!\\)(?<!\[[\d;]*)[\w-]$/;

/** Without the folder, unless it stands in another path. */
const withoutFolder = (text: string, folder: string): string =>
  text
    .split(folder)
    .reduce((before, after) =>
      NAME_ENDS.test(before.slice(-16)) ? before + folder + after : before + after,
    );

/**
 * A function that removes the secrets of the adapter from texts, the paths and queries of addresses, and the folders of
 * its files.
 */
export function redactedBy(adapter: ConfiguredAdapter): (text: string) => string {
  const secrets = [
    ...new Set(secretsOf(adapter).flatMap((secret) => [secret, decoded(secret), encodeURIComponent(secret)])),
  ]
    .filter(
      (secret) =>
        secret.length >= MIN_SECRET && secret.toLowerCase() !== 'bearer' && secret.toLowerCase() !== 'basic',
    )
    .sort((a, b) => b.length - a.length);
  const folders = foldersOf(adapter).filter((folder) => folder !== path.parse(folder).root);
  const placeless = (text: string): string => folders.reduce(withoutFolder, text.replaceAll(ADDRESS, '$1$2'));
  const redacted = (text: string): string =>
    secrets
      .reduce((shown, secret) => shown.replaceAll(secret, '***'), placeless(text))
      .replaceAll(PASSWORD, '$1$2***');
  const atTheCut = Math.max(AT_THE_CUT, secrets[0]?.length ?? 0);
  return (text) =>
    text.length <= MAX_TEXT ? redacted(text) : redacted(text.slice(0, MAX_TEXT)).slice(0, -atTheCut);
}
