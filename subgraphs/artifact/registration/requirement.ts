// Parses a rule's requirement: `Sample`, or with conditions `Sample(sample_id={sample_id}, assay=wgs)`
// (docs/reference/artifact.md#requires).

export interface Requirement {
  readonly entityType: string;
  /** Field → value or `{placeholder}`; null without conditions: then the bindings of the same names apply. */
  readonly conditions: ReadonlyMap<string, string> | null;
}

/** Null for an invalid text. */
export function readRequirement(ref: string): Requirement | null {
  const parts = /^\s*([^\s(){}=,]+)\s*(?:\(([^()]*)\))?\s*$/u.exec(ref);
  const [, entityType, inside] = parts ?? [];
  if (entityType === undefined) return null;
  if (inside === undefined) return { entityType, conditions: null };
  const conditions = new Map<string, string>();
  for (const condition of inside.split(',').filter((text) => text.trim() !== '')) {
    const [field = '', ...value] = condition.split('=');
    if (field.trim() === '' || value.length === 0 || conditions.has(field.trim())) return null;
    conditions.set(field.trim(), value.join('=').trim());
  }
  return { entityType, conditions };
}

/** The name in `{name}`; null for a plain value. */
export const placeholderOf = (value: unknown): string | null =>
  typeof value === 'string' ? (/^\{([^{}]+)\}$/.exec(value)?.[1] ?? null) : null;
