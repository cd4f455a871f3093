// Names of rules: `name` means its active version, `name@n` exactly one
// (docs/reference/artifact.md#names-and-versions).

export interface RuleReference {
  readonly name: string;
  /** Null for the plain name. */
  readonly version: number | null;
}

/**
 * Versions are 32-bit integers; `name@0` and larger numbers name no version, but are not plain names either.
 */
export function readRuleReference(text: string): RuleReference {
  const parts = /^(.*)@(0|[1-9]\d{0,8})$/su.exec(text);
  const [, name, version] = parts ?? [];
  return name === undefined || version === undefined
    ? { name: text, version: null }
    : { name, version: Number(version) };
}

export const ruleReference = (name: string, version: number): string => `${name}@${version}`;
