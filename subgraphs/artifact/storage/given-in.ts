// The project that an entity is in when it gets a file, as `artifact.artifact_entity.given_in` has it.

/** '' for a shared entity; null where the project is no text. */
export function projectIn({ project = null }: Readonly<Record<string, unknown>>): string | null {
  if (project === null) return '';
  return typeof project === 'string' ? project : null;
}
