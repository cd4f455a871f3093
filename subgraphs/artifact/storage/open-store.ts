// Opens the store that the configuration names.
import type { Config } from '../../../platform/config/load-config.ts';
import { DirectoryStore } from './directory-store.ts';
import type { ObjectStore } from './object-store.ts';

/** A store is made without being asked anything: one that cannot be reached fails those who use it, not the start. */
export async function openStore(settings: Config['artifact']['store']): Promise<ObjectStore> {
  if (settings.type === 'file') {
    const store = new DirectoryStore(settings.path);
    await store.tidy();
    return store;
  }
  const { S3Store, s3ClientOf } = await import('./s3-store.ts'); // the SDK takes a while to load, and most never need it
  return new S3Store(s3ClientOf(settings), settings);
}
