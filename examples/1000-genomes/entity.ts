// An entity in the input format of `POST /ingest`.

export interface Entity {
  readonly type: string;
  readonly id: string;
  readonly data: Readonly<Record<string, unknown>>;
}
