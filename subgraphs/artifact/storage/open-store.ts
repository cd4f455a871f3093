// Opens the store that the configuration names.
import type { Config } from '../../../platform/config/load-config.ts';
import { DirectoryStore } from './directory-store.ts';
import type { ObjectStore } from './object-store.ts';
import { loadSdk, S3Store } from './s3-store.ts';

/**
 * A store is made without being asked anything: one that cannot be reached fails those who use it, not the
 * start.
 */
export async function openStore(settings: Config['artifact']['store']): Promise<ObjectStore> {
  if (settings.type === 'file') {
    const store = new DirectoryStore(settings.path);
    await store.tidy();
    return store;
  }
  return new S3Store(await loadSdk(), settings);
}
