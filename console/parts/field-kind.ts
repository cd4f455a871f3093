// What a schema says of a field, as far as it shows.

export interface FieldKind {
  readonly name: string;
  readonly type: string;
  readonly many?: boolean;
  readonly references?: string | null;
  readonly values?: readonly string[] | null;
}
