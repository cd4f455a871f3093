// The error for what would remove files that a backup has yet to copy.
import { DomainError } from '../../../platform/errors.ts';

export const backupUnderWay = (): DomainError =>
  new DomainError(
    'conflict',
    'a backup is under way, or an archive of the log has yet to copy the file: nothing more is evicted until it has; ask again then',
  );
