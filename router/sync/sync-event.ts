// What the consistency check between components reports.
export interface SyncEvent {
  readonly id: string;
  readonly eventType: string;
  readonly source: string;
  readonly sourceId: string;
  readonly actor: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly createdAt: string;
  readonly resolvedAt: string | null;
  readonly resolvedBy: string | null;
  readonly note: string | null;
}

export interface ConsistencyScan {
  readonly id: string;
  readonly status: 'started' | 'completed' | 'failed';
  readonly startedAt: string;
  readonly finishedAt: string | null;
  /**
   * Finished runs and productions that were compared, and those of them that metadata does not fully hold.
   */
  readonly checked: number;
  readonly mismatches: number;
  readonly error: string | null;
}
