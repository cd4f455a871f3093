// What a schema says of a field, as far as it shows.

export interface FieldKind {
  readonly name: string;
  readonly type: string;
  readonly many?: boolean;
  readonly references?: string | null;
  readonly values?: readonly string[] | null;
}

/** What an operation reads of a field to show and to ask for its values. */
export const FIELD_INFO = /* GraphQL */ `
  fragment FieldInfo on SchemaField {
    name
    type
    many
    required
    references
    values
    description
  }
`;

/** The values that one of the field's can have, where they are few. */
export const choicesOf = ({ type, values }: FieldKind): readonly string[] | undefined =>
  type === 'bool' ? ['true', 'false'] : (values ?? undefined);

export const isNumeric = ({ type }: Pick<FieldKind, 'type'>): boolean => type === 'int' || type === 'float';
