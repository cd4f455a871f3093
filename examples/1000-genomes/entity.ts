// What is loaded: an entity as `POST /ingest` takes it.

export interface Entity {
  readonly type: string;
  readonly id: string;
  readonly data: Readonly<Record<string, unknown>>;
}
