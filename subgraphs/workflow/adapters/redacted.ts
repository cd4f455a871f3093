// Texts about an adapter without what its configuration keeps secret: errors of sources and libraries may quote it.
import { isObject } from '../../../platform/json-object.ts';
import type { ConfiguredAdapter } from './open-adapter.ts';

/** Shorter ones are no secrets, and would be found in any text. */
const MIN_SECRET = 3;
/** Names of settings whose values are secret. */
const SECRET = /auth|credential|key|pass|private|secret|sig|token/i;
/** Headers whose values are not. */
const PLAIN_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'accept-language',
  'content-type',
  'user-agent',
]);
/** Scheme and host of an address are shown, what follows may be a secret. */
const ADDRESS = /\b([a-z][a-z0-9+.-]*:\/\/)(?:[^\s/?#"'<>]*@)?([^\s/?#"'<>@]*)[^\s"'<>]*/gi;

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
  const given = [...searchParams].filter(([name]) => SECRET.test(name)).map(([, value]) => value);
  return [username, password, ...given];
}

/** Strings below settings with the name of a secret, at any depth. */
function secretsBelow(value: unknown, isSecret = false): string[] {
  if (typeof value === 'string') return [...(isSecret ? [value] : []), ...secretsOfAddress(value)];
  if (Array.isArray(value)) return value.flatMap((item) => secretsBelow(item, isSecret));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, item]) => secretsBelow(item, isSecret || SECRET.test(name)));
}

function secretsOf(adapter: ConfiguredAdapter): string[] {
  if (adapter.type === 'module') return secretsBelow(adapter.options);
  if (adapter.type === 'sql') return secretsOfAddress(adapter.url);
  const headers = Object.entries(adapter.headers).flatMap(([name, value]) =>
    // of `Bearer abc` either part, as a server may quote it
    PLAIN_HEADERS.has(name.toLowerCase()) ? [] : [value, ...value.split(/[\s,;=]+/)],
  );
  const { url } = 'url' in adapter ? adapter : { url: '', ...adapter.source };
  return [...headers, ...secretsOfAddress(url)];
}

/** A function that removes the secrets of the adapter from texts, and the paths and queries of addresses. */
export function redactedBy(adapter: ConfiguredAdapter): (text: string) => string {
  const secrets = [
    ...new Set(secretsOf(adapter).flatMap((secret) => [secret, decoded(secret), encodeURIComponent(secret)])),
  ]
    .filter(
      (secret) =>
        secret.length >= MIN_SECRET && secret.toLowerCase() !== 'bearer' && secret.toLowerCase() !== 'basic',
    )
    .sort((a, b) => b.length - a.length);
  return (text) =>
    secrets.reduce((shown, secret) => shown.replaceAll(secret, '***'), text.replaceAll(ADDRESS, '$1$2'));
}
