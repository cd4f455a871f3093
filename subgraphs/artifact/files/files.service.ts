// Reads what is known of stored files, one by one and batched for lists of entities.
import DataLoader from 'dataloader';
import { grouped } from '../../../platform/grouped.ts';
import { isStorable, type Queryable } from '../../../platform/queryable.ts';
import { type FileOfEntity, findFile, listFilesOfEntities, type StoredFile } from './files.store.ts';

/** One operation's view of the artifact store. */
export class FileService {
  readonly #db: Queryable;
  readonly #ofEntities: DataLoader<string, readonly FileOfEntity[]>;

  constructor(db: Queryable) {
    this.#db = db;
    this.#ofEntities = new DataLoader(async (ids) => {
      const files = grouped(await listFilesOfEntities(db, ids), (file) => file.entityId, (file) => file);
      return ids.map((id) => files.get(id) ?? []);
    });
  }

  /** One file, evicted ones included; null for a digest that the store has never held. */
  async get(hash: string): Promise<StoredFile | null> {
    return isStorable(hash) ? findFile(this.#db, hash) : null;
  }

  /** The files that an entity's fields, or the one named, point to. */
  async ofEntity(entityId: string, field: string | null): Promise<readonly StoredFile[]> {
    const files = await this.#ofEntities.load(entityId);
    return field === null ? files : files.filter((file) => file.field === field);
  }
}
