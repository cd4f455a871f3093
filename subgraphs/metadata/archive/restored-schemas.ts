// The schemas of an archive, checked as if each had been registered.
import { refused } from '../../../platform/archive/archive-format.ts';
import type { ArchivedRow } from '../../../platform/archive/archived-row.ts';
import { DomainError } from '../../../platform/errors.ts';
import { parseJson } from '../../../platform/json.ts';
import { isObject } from '../../../platform/json-object.ts';
import { readDefinition } from '../schema-model/definition.ts';
import { projectFieldFault } from '../schema-model/project-field.ts';
import { SchemaCatalogue } from '../schema-model/schema-catalogue.ts';
import { compileRule } from '../validation/cel-rule.ts';

/** @throws DomainError where the revision cannot follow those before */
export function withRevision(catalogue: SchemaCatalogue, row: ArchivedRow): SchemaCatalogue {
  const { revision, name, version, definition: text } = row;
  const refuse = (why: string, options?: ErrorOptions): DomainError =>
    refused(`has a schema that cannot be registered (revision ${String(revision)}): ${why}`, options);
  if (typeof revision !== 'number' || revision <= catalogue.revision)
    throw refuse('its revision is not higher than those before');
  if (typeof text !== 'string') throw refuse('its definition is not a text');
  try {
    const sent = parseJson(text, 'the definition');
    if (!isObject(sent)) throw refuse('it is not an object');
    const definition = readDefinition(sent);
    if (definition.name !== name || definition.version !== version)
      throw refuse('its definition has another name or version');
    for (const rule of definition.rules) compileRule(rule.expression);
    const next = new SchemaCatalogue(revision, [{ definition, revision }], catalogue);
    const type = next.get(definition.name);
    const fault = type === undefined ? null : projectFieldFault(type);
    if (fault !== null) throw refuse(fault);
    return next;
  } catch (cause) {
    if (!(cause instanceof DomainError) || cause.message.startsWith('the archive')) throw cause;
    throw refuse(cause.message, { cause });
  }
}
