// Which texts of the configuration may be shown. What is not listed is hidden: a key that is added later stays hidden
// until somebody has decided that it never holds a secret. Numbers and switches hold none.

/**
 * `whole`: as it is. `address`: scheme, host and port; the rest of an address may be a secret. `mapping`: names that are
 * not keys, with their values.
 */
export type Shown = 'whole' | 'address' | 'mapping';

/** Keys by their path; `[]` is an element of a list, `*` the name of a component. */
const SHOWN: Readonly<Record<string, Shown>> = {
  'server.host': 'whole',
  'server.mode': 'whole',
  'server.public_url': 'address',
  'server.tls.certificate': 'whole',
  'server.tls.key': 'whole',
  'server.allowed_hosts[]': 'whole',
  'components.*.url': 'address',
  'components.*.health_path': 'whole',
  'components.*.kind': 'whole',
  'database.url': 'address',
  'database.read_urls[]': 'address',
  'database.data_dir': 'whole',
  'database.binaries': 'whole',
  'trusted_networks[]': 'whole',
  'auth.mode': 'whole',
  'auth.issuer': 'address',
  'auth.audience': 'whole',
  'auth.jwks_url': 'address',
  'auth.clients[].client_id': 'whole',
  'auth.clients[].grants[]': 'whole',
  'auth.clients[].roles[]': 'whole',
  'auth.clients[].projects': 'whole',
  'auth.clients[].projects[]': 'whole',
  'auth.clients[].redirect_uris[]': 'address',
  'auth.identity_provider.issuer': 'address',
  'auth.identity_provider.client_id': 'whole',
  'auth.identity_provider.scopes[]': 'whole',
  'auth.identity_provider.username_claim': 'whole',
  'auth.identity_provider.roles.claim': 'whole',
  'auth.identity_provider.roles.map': 'mapping',
  'auth.identity_provider.roles.default': 'whole',
  'auth.identity_provider.projects.claim': 'whole',
  'auth.identity_provider.projects.map': 'mapping',
  'auth.identity_provider.projects.default': 'whole',
  'auth.identity_provider.projects.default[]': 'whole',
  'auth.issuers[].issuer': 'whole',
  'auth.issuers[].audience': 'whole',
  'auth.issuers[].algorithms[]': 'whole',
  'auth.issuers[].jwks_url': 'address',
  'auth.issuers[].username_claim': 'whole',
  'auth.issuers[].roles.claim': 'whole',
  'auth.issuers[].roles.map': 'mapping',
  'auth.issuers[].roles.default': 'whole',
  'auth.issuers[].projects.claim': 'whole',
  'auth.issuers[].projects.map': 'mapping',
  'auth.issuers[].projects.default': 'whole',
  'auth.issuers[].projects.default[]': 'whole',
  'auth.issuers[].introspection.url': 'address',
  'auth.issuers[].introspection.client_id': 'whole',
  'rate_limit.redis_url': 'address',
  'observability.audit_log.backend': 'whole',
  'observability.audit_log.path': 'whole',
  'observability.metrics.path': 'whole',
  'observability.metrics.access': 'whole',
  'observability.health.path': 'whole',
  'observability.tracing.otlp_url': 'address',
  'observability.log_level': 'whole',
  'cors.allowed_origins[]': 'address',
  'cors.allowed_methods[]': 'whole',
  'cors.allowed_headers[]': 'whole',
  'workflow.router.url': 'address',
  'workflow.router.client_id': 'whole',
  'workflow.include[]': 'whole',
  'artifact.rule_packages[]': 'whole',
  'artifact.runner.type': 'whole',
  'artifact.runner.command': 'whole',
  'artifact.runner.tool_paths[]': 'whole',
  'artifact.runner.readable_paths[]': 'whole',
  'artifact.runner.sandbox': 'whole',
  'artifact.runner.network': 'whole',
  'artifact.runner.container_engine': 'whole',
  'artifact.runner.default_image': 'whole',
  'artifact.runner.container_network': 'whole',
  'artifact.runner.url': 'address',
  'artifact.store.type': 'whole',
  'artifact.store.path': 'whole',
  'artifact.store.bucket': 'whole',
  'artifact.store.prefix': 'whole',
  'artifact.store.region': 'whole',
  'artifact.store.endpoint': 'address',
  'artifact.allow_networks[]': 'whole',
  'artifact.deny_networks[]': 'whole',
  'artifact.allow_sources[]': 'whole',
  'artifact.allowed_images[]': 'whole',
  'artifact.crates.license_name': 'whole',
  'artifact.crates.license': 'address',
  'artifact.crates.publisher.name': 'whole',
  'artifact.crates.publisher.url': 'address',
};

/** Undefined for what is hidden. @param key a path without the numbers of elements and the names of components */
export const shownAs = (key: string): Shown | undefined =>
  Object.hasOwn(SHOWN, key) ? SHOWN[key] : undefined;

/** Of these the path is the name of a database. */
const DATABASES = new Set(['postgres:', 'postgresql:', 'redis:', 'rediss:']);

/** An address without what may be a secret: user, password, query, and the path, unless it names a database. */
export function shortAddress(text: string): { readonly text: string; readonly isCut: boolean } {
  if (text === '*') return { text, isCut: false }; // every origin
  if (!URL.canParse(text)) return { text: '…', isCut: true };
  const { protocol, username, password, host, pathname, search, hash } = new URL(text);
  const isPathShown = pathname === '' || pathname === '/' || DATABASES.has(protocol);
  const user = username === '' && password === '' ? '' : '…@';
  const rest = isPathShown ? pathname.replace(/^\/$/, '') : '/…';
  const more = search === '' && hash === '' ? '' : '?…';
  const shown = `${protocol}//${user}${host}${rest}${more}`;
  return { text: shown, isCut: user !== '' || !isPathShown || more !== '' };
}
