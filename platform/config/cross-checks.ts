// Checks rules between keys. They read the file's values as written, so that they also run where another key
// has a fault.
import { type Definitions, type Named, textAt, valueAt } from './definitions.ts';
import type { Environment } from './environment.ts';
import { type ConfigFault, faultAt, type Path } from './faults.ts';
import { isLoopbackHost } from './networks.ts';
import { shortSecretFaults, worldFaults } from './production-checks.ts';
import type { Source } from './source.ts';
import { cyclesOf } from './trigger-chains.ts';

/** Returns a fault for every item with the name of an earlier one. */
const duplicates = (what: string, items: readonly Named[], key: Path = ['name']): ConfigFault[] => {
  const first = new Map<string, Named>();
  return items.flatMap((item) => {
    const earlier = first.get(item.name);
    if (earlier === undefined) {
      first.set(item.name, item);
      return [];
    }
    const { line } = earlier.origin.document.locate(earlier.origin.path) ?? {};
    return [
      faultAt(
        item.origin,
        key,
        `${what} "${item.name}" is already defined in ${earlier.origin.document.label}${line === undefined ? '' : `, line ${line}`}`,
      ),
    ];
  });
};

function clientNames(document: Source): Named[] {
  const clients = valueAt(document.tree, ['auth', 'clients']);
  return (Array.isArray(clients) ? clients : []).flatMap((client: unknown, i) => {
    const id = textAt(client, ['client_id']);
    return id !== undefined
      ? [{ name: id, item: client, origin: { document, path: ['auth', 'clients', i] } }]
      : [];
  });
}

/** Standbys of the embedded PostgreSQL do not exist. */
function standbyFaults(database: unknown, root: Parameters<typeof faultAt>[0]): ConfigFault[] {
  const replicas = valueAt(database, ['read_urls']);
  if (!Array.isArray(replicas) || replicas.length === 0) return [];
  if (valueAt(database, ['url']) !== undefined) return [];
  return [faultAt(root, ['database', 'read_urls'], 'names standbys of database.url, which is not set')];
}

/** An archive is opened in one way. */
function archiveFaults(archive: unknown, root: Parameters<typeof faultAt>[0]): ConfigFault[] {
  const recipients = valueAt(archive, ['recipients']);
  if (valueAt(archive, ['passphrase_env']) === undefined) return [];
  if (!Array.isArray(recipients) || recipients.length === 0) return [];
  const message = 'cannot be set beside passphrase_env: name what opens the archive in one way';
  return [faultAt(root, ['database', 'archive', 'recipients'], message)];
}

export function crossChecks(document: Source, definitions: Definitions, env: Environment): ConfigFault[] {
  const root = { document, path: [] };
  const value = (...at: string[]): unknown => valueAt(document.tree, at);
  const faults: ConfigFault[] = [];

  if (value('server', 'mode') === 'production') {
    faults.push(
      ...worldFaults(value('trusted_networks'), root),
      ...shortSecretFaults(document.tree, env, root),
    );
    const elsewhere = [...definitions.named.triggers, ...definitions.named.adapters].filter(
      ({ origin }) => origin.document !== document,
    );
    faults.push(...elsewhere.flatMap(({ item, origin }) => shortSecretFaults(item, env, origin)));
  }
  const host = value('server', 'host') ?? '127.0.0.1';
  if (value('auth', 'mode') === 'disabled' && typeof host === 'string' && !isLoopbackHost(host)) {
    faults.push(
      faultAt(
        root,
        ['auth', 'mode'],
        `disabled gives everyone administrator rights, so server.host must be a loopback address, not ${host}`,
      ),
    );
  }
  faults.push(
    ...standbyFaults(value('database'), root),
    ...archiveFaults(value('database', 'archive'), root),
  );
  const origins = value('cors', 'allowed_origins');
  if (value('cors', 'allow_credentials') === true && Array.isArray(origins) && origins.includes('*')) {
    faults.push(
      faultAt(
        root,
        ['cors', 'allow_credentials'],
        'cannot be true while allowed_origins contains *: list the origins',
      ),
    );
  }
  const metricsPath = value('observability', 'metrics', 'path');
  if (
    metricsPath !== undefined &&
    metricsPath === (value('observability', 'health', 'path') ?? '/api/v1/gateway/health')
  ) {
    faults.push(faultAt(root, ['observability', 'metrics', 'path'], 'must differ from the health path'));
  }

  const webhooks = definitions.named.triggers.flatMap((trigger) => {
    const path = textAt(trigger.item, ['type']) === 'webhook' ? textAt(trigger.item, ['path']) : undefined;
    return path !== undefined ? [{ ...trigger, name: path.startsWith('/') ? path : `/${path}` }] : [];
  });
  faults.push(
    ...duplicates('client', clientNames(document), ['client_id']),
    ...duplicates('trigger', definitions.named.triggers),
    ...duplicates('adapter', definitions.named.adapters),
    ...duplicates('rule', definitions.named.rules),
    ...duplicates('webhook path', webhooks, ['path']),
    ...cyclesOf(definitions.named.triggers),
  );

  const adapters = definitions.named.adapters.map((adapter) => adapter.name);
  for (const { item, origin } of definitions.named.triggers) {
    const adapter = valueAt(item, ['action', 'adapter']);
    if (
      valueAt(item, ['action', 'type']) === 'ingest' &&
      typeof adapter === 'string' &&
      !adapters.includes(adapter)
    ) {
      faults.push(
        faultAt(
          origin,
          ['action', 'adapter'],
          `no adapter is named "${adapter}"; configured adapters: ${adapters.join(', ') || 'none'}`,
        ),
      );
    }
  }
  return faults;
}
