// The error for what would remove files that a backup has yet to copy.
import { DomainError } from '../../../platform/errors.ts';

export const backupUnderWay = (): DomainError =>
  new DomainError(
    'conflict',
    'a backup is under way, which needs every file: nothing more is evicted until it has ended; ask again then',
  );
