// What is said of a field of a schema (docs/reference/metadata.md#field-options).
export const FIELD_TYPES = [
  'string',
  'int',
  'float',
  'bool',
  'date',
  'datetime',
  'enum',
  'uri',
  'json',
  'ref',
] as const;

export type FieldType = (typeof FIELD_TYPES)[number];

export interface FieldDefinition {
  readonly name: string;
  readonly type: FieldType;
  /**
   * The type's name as it was declared: aliases are echoed as sent
   * (docs/reference/metadata.md#schema-definition).
   */
  readonly declaredType: string;
  readonly required: boolean;
  readonly many: boolean;
  readonly unique: boolean;
  readonly searchable: boolean;
  /** Whether ranges of it, and the order by it, have an index of their own. */
  readonly indexed: boolean;
  readonly description: string | null;
  /** Undefined where there is none; null is a default of its own. */
  readonly default: unknown;
  /** The words of an enum. */
  readonly values: readonly string[];
  /** The target type of a ref. */
  readonly references: string | null;
  /** Of a ref: whether what it refers to has to exist when it is written. */
  readonly mustExist: boolean;
}
