// Backups of a gateway of which none was made.
import type { Backups } from '../../router/backups/backups.service.ts';

export const noBackups: Backups = {
  list: () => Promise.resolve({ items: [], nextCursor: null, lastCompletedAt: null, archive: null }),
};
