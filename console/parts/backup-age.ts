// When a backup counts as old: as the alert CairnBackupOld has it.
const OLD_MS = 26 * 3_600_000;

/** @param begun when the last one that completed was begun */
export const isOldBackup = (begun: string): boolean => Date.now() - new Date(begun).getTime() > OLD_MS;
