// The form of the log that this version writes.

/**
 * A migration raises the database's form where versions before it must not write beside it any more
 * (CONTRIBUTING.md, «Change what is stored»); then this number is raised with it. The database refuses who knows an
 * older one, under the log's lock.
 */
export const WRITE_FORMAT = 1;
