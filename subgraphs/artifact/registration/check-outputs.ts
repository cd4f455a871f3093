// Checks 2 to 6 of a registration: types exist, outputs exist, fields fit, files have a uri, identity fields
// are covered.
import { showCwlType } from '../cwl/cwl-type.ts';
import type { CwlOutput } from '../cwl/validate.ts';
import type { RuleOutput } from '../rules/rule-definition.ts';
import type { EntitySchema } from './entity-schema.ts';
import { showFieldType, typeFault } from './match-type.ts';
import { type MadeField, outputFields } from './output-fields.ts';
import { type Violation, violation } from './violation.ts';

function checkField(
  { name, type, output }: MadeField,
  { name: entityType, fields }: EntitySchema,
): readonly Violation[] {
  const field = fields.get(name);
  const about = { output, output_type: showCwlType(type), entity_type: entityType, field: name };
  if (field === undefined)
    return [
      violation(
        'field_type',
        `output ${output} (${about.output_type}): ${entityType} has no field ${name}`,
        about,
      ),
    ];
  const fault = typeFault(type, field);
  return fault === null
    ? []
    : [
        violation(
          'field_type',
          `output ${output} (${about.output_type}): field ${name} of ${entityType} ${fault}`,
          { ...about, expected_type: showFieldType(field) },
        ),
      ];
}

function checkFile(
  made: readonly MadeField[],
  { name: entityType, fields }: EntitySchema,
): readonly Violation[] {
  if (fields.get('uri')?.type !== 'uri' || made.some((field) => field.name === 'uri')) return [];
  return [
    violation(
      'file_uri',
      `${entityType} describes a file: the workflow must have an output uri of type File or Directory`,
      { entity_type: entityType, field: 'uri', expected_type: 'uri' },
    ),
  ];
}

function checkMatch(
  { match, entity_type: entityType }: RuleOutput,
  made: readonly MadeField[],
): readonly Violation[] {
  return Object.keys(match ?? {})
    .filter((field) => !made.some(({ name }) => name === field))
    .map((field) =>
      violation('match', `the identity field ${field} is not among the workflow's output fields`, {
        entity_type: entityType,
        field,
      }),
    );
}

/**
 * All violations, check by check.
 * @param outputs null if the workflow is invalid: then only the types are checked
 */
export function checkOutputs(
  items: readonly RuleOutput[],
  outputs: readonly CwlOutput[] | null,
  schemas: ReadonlyMap<string, EntitySchema>,
): readonly Violation[] {
  const unknown = [...new Set(items.map((item) => item.entity_type))]
    .filter((type) => !schemas.has(type))
    .map((type) => violation('entity_type', `the entity type ${type} does not exist`, { entity_type: type }));
  if (outputs === null) return unknown;
  const read = items.map((item) => ({
    item,
    schema: schemas.get(item.entity_type),
    found: outputFields(item, items, outputs),
  }));
  const missing = read.flatMap(({ item, found }) =>
    'fault' in found
      ? [
          violation('output', found.fault, {
            output: found.output,
            output_type: found.type,
            entity_type: item.entity_type,
          }),
        ]
      : [],
  );
  const known = read.flatMap(({ item, schema, found }) =>
    'fields' in found ? [{ item, schema, made: found.fields }] : [],
  );
  const typed = known.flatMap(({ schema, made }) => (schema === undefined ? [] : [{ schema, made }]));
  return [
    ...unknown,
    ...missing,
    ...typed.flatMap(({ schema, made }) => made.flatMap((field) => checkField(field, schema))),
    ...typed.flatMap(({ schema, made }) => checkFile(made, schema)),
    ...known.flatMap(({ item, made }) => checkMatch(item, made)),
  ];
}
