// Formats the URL of a server, for its start message and for the issuer of tokens.

/**
 * Returns the base URL, without a trailing slash, at which a server that listens on `host` is reached from
 * this machine. Wildcard addresses become the loopback address.
 */
const LOOPBACK_OF: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

export function httpAddress(host: string, port: number, scheme: 'http' | 'https' = 'http'): string {
  const reachable = LOOPBACK_OF[host] ?? host;
  return `${scheme}://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}
