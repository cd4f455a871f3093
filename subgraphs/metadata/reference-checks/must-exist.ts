// The check that a reference field may require: its target exists when it is written, and has the right type
// (docs/reference/metadata.md#required-references).
import { invalid } from '../../../platform/errors.ts';
import type { Author, WriteView } from '../log/write.ts';
import { type EntityData, type EntityType, ownValue } from '../schema-model/entity-type.ts';
import type { SchemaCatalogue } from '../schema-model/schema-catalogue.ts';
import { isVisible } from '../reading/visibility.ts';

const idsIn = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string');

/** Entities that a write of a type, or of a subtype, needs to see for the check. */
export function idsToExist(
  catalogue: SchemaCatalogue,
  type: EntityType | undefined,
  data: EntityData,
): string[] {
  const fields = new Set(
    [...(type?.selfAndSubtypes ?? []), ...(type?.selfAndAncestors ?? [])].flatMap(
      (name) => catalogue.get(name)?.mustExist ?? [],
    ),
  );
  return [...fields].flatMap((field) => idsIn(ownValue(data, field)));
}

/**
 * Checks the fields that the write changes. An entity may refer to itself; an entity that is invisible to the
 * author counts as missing.
 * @throws DomainError `validation_failed`, naming the field
 */
export function assertTargets(
  view: WriteView,
  type: EntityType,
  id: string,
  data: EntityData,
  changed: readonly string[],
  author: Author,
): void {
  for (const field of type.mustExist) {
    if (!changed.includes(field)) continue;
    const references = type.fields.get(field)?.references ?? '';
    for (const target of idsIn(ownValue(data, field))) {
      const found = view.entity(target);
      const visible = found && isVisible(author, found.project) ? found.entityType : undefined;
      const actual = target === id ? type.name : visible;
      if (actual === undefined)
        throw invalid(`field ${field} must refer to a ${references} that exists: there is no ${target}`, {
          field,
          target,
        });
      if (!view.catalogue.isA(actual, references))
        throw invalid(`field ${field} must refer to a ${references}: ${target} is a ${actual}`, {
          field,
          target,
        });
    }
  }
}
