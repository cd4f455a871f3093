// Fetches a configured address; redirects and links are only followed within its origin.
import { AdapterFetchError } from './adapter.ts';

const MAX_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** The same origin, or the same host by https on the default port: the configured one, or its upgrade. */
function within(target: URL, home: URL): boolean {
  return (
    target.origin === home.origin ||
    (target.protocol === 'https:' &&
      home.protocol === 'http:' &&
      target.hostname === home.hostname &&
      target.port === '' &&
      home.port === '')
  );
}

/**
 * Resolves a link or redirect: only to the configured origin, because a server that could send us anywhere
 * could make us read what only this machine may.
 * @throws AdapterFetchError
 */
export function resolveWithin(link: string, from: string, home: string): string {
  const target = URL.canParse(link, from) ? new URL(link, from) : undefined;
  if (!target || target.username !== '' || !within(target, new URL(home)))
    throw new AdapterFetchError(
      `the source redirects to another origin (${target?.origin ?? 'no address'}): configure that address if it is intended`,
    );
  return target.href;
}

/**
 * @param home the configured address
 * @throws AdapterFetchError for a redirect to another origin, or too many; errors of `fetch`
 */
export async function fetchWithin(
  url: string,
  home: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Response> {
  for (let at = url, hops = 0; ; hops++) {
    const response = await fetch(at, { headers, signal, redirect: 'manual' });
    const location = REDIRECTS.has(response.status) ? response.headers.get('location') : null;
    if (location === null) return response;
    await response.body?.cancel();
    if (hops === MAX_REDIRECTS)
      throw new AdapterFetchError(`the source redirects more than ${MAX_REDIRECTS} times`);
    at = resolveWithin(location, at, home);
  }
}
