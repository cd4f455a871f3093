// The database operations of automatic indexes, assembled.
import type { Logger } from 'pino';
import type { Database } from '../../../platform/database/connect.ts';
import type { AutomaticIndexDeps } from './automatic-indexes.ts';
import {
  addUses,
  automaticIndexes,
  dropIndex,
  entitiesOf,
  forgetIndex,
  makeIndex,
  oftenUsed,
  takeIndexing,
  wantIndex,
} from './field-use.store.ts';

export function indexing(
  { pool, asOwner }: Database,
  log: Logger,
): Omit<AutomaticIndexDeps, 'uses' | 'catalogue' | 'newest'> {
  return {
    addUses: (uses) => addUses(pool, uses),
    oftenUsed: (often) => oftenUsed(pool, often),
    entitiesOf: (types) => entitiesOf(pool, types),
    kept: () => automaticIndexes(pool),
    want: (index) => wantIndex(pool, index),
    forget: (field) => forgetIndex(pool, field),
    alone:
      asOwner === undefined
        ? null
        : (work) =>
            asOwner(async (owner) => {
              if (!(await takeIndexing(owner))) return false;
              await work({
                make: (field) => makeIndex(owner, field),
                drop: (name) => dropIndex(owner, name),
              });
              return true;
            }),
    onMade: ({ field, entityType, uses, entities }) => {
      log.info(
        { field, entityType, uses, entities },
        'an index was created for a field that is often filtered',
      );
    },
    onFault: (err) => {
      log.warn({ err }, 'an index for a field that is often filtered could not be created');
    },
  };
}
