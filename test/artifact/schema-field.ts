/** A field of a schema, optional unless `more` says otherwise. */
export const field = (name: string, type: string, more: Record<string, unknown> = {}) => ({
  name,
  field_type: type,
  required: false,
  ...more,
});
