// One way of saying where a server is, for its start's report and for the issuer of tokens.

/** Where a server that listens on `host` is reached from this machine, as a base URL without a slash at its end: wildcard addresses are the loopback's. */
export function addressOf(host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}
