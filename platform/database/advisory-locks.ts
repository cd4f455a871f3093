// Advisory locks of PostgreSQL that processes take, each with a number of its own.

export const LOCKS = {
  /** Of several processes that start at once, one creates the first administrator's key. */
  adminKey: 0x0ca1_0001,
  /** Of several processes that start at once, one detects changes of configured clients. */
  configuredClients: 0x0ca1_0002,
  /** Of several processes that find the newest signing key too old, one creates the next. */
  signingKeys: 0x0ca1_0003,
  /**
   * Of one backup at a time, exclusively. What would take away what it has yet to copy holds it shared: the removal of
   * files from the store, and migrations.
   */
  backup: 0x0ca1_0005,
  /**
   * Of the one process that archives the write-ahead log, exclusively. While it is held, what has yet to be archived is
   * not removed from the store.
   */
  archive: 0x0ca1_0006,
  /**
   * The first number of two: the second is the revision of the schemas that a process judges by, held shared by the
   * session that listens for it.
   */
  schemaRevision: 0x0ca1_0007,
  /** One consistency scan at a time. */
  scan: 212_904_002,
} as const;
