// Opens the configured store.
import type { Config } from '../../../platform/config/load-config.ts';
import { DirectoryStore } from './directory-store.ts';
import type { ObjectStore } from './object-store.ts';
import { loadSdk, S3Store } from './s3-store.ts';

/** A store is created without a request: an unreachable one fails its users, not the start. */
export async function openObjectStore(settings: Config['artifact']['store']): Promise<ObjectStore> {
  if (settings.type === 'file') {
    const store = new DirectoryStore(settings.path);
    await store.tidy();
    return store;
  }
  return new S3Store(await loadSdk(), settings);
}
