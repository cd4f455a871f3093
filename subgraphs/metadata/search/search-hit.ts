// A hit of a search, as it is read.
import { EntityRecord } from '../reading/entity-record.ts';
import type { HitRow } from './hit-row.ts';

export class SearchHit extends EntityRecord {
  readonly score: number;

  constructor(row: HitRow, at: EntityRecord['at']) {
    super(row, at);
    this.score = Number(row.score);
  }

  get entity(): EntityRecord {
    return this;
  }
}
