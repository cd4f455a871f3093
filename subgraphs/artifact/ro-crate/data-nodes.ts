// What a production was given and what it made, as nodes of the crate.
import { outputFields } from '../registration/output-fields.ts';
import { outputsOf } from '../rules/rule-definition.ts';
import { addFile } from './file-nodes.ts';
import { type Graph, type Ref, crateTime, local, ref } from './graph.ts';
import { type Met, parameterFiles, isAllFiles, literal, parameterId } from './parameter-nodes.ts';
import type { CrateSource } from './crate-source.ts';

export type Values = Map<string, { files: boolean; values: boolean }>;

/** Remembers of which kinds the values of a parameter were. */
function meet(met: Values, id: string, kind: keyof Met): void {
  const known = met.get(id) ?? { files: false, values: false };
  met.set(id, { ...known, [kind]: true });
}

/** What every input was: files, values, or the workflow's own default. */
export function addInputs(
  graph: Graph,
  { production, workflow, inputFiles }: CrateSource,
  met: Values,
  accessed: string | null,
): readonly Ref[] {
  const given = production.inputs as Readonly<Record<string, unknown>>; // an object, as it was noted
  return workflow.inputs.flatMap(({ name }) => {
    const id = parameterId('in', name);
    const work = { exampleOfWork: ref(id) };
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    const files = parameterFiles(value).map(({ location, field, format }) => {
      meet(met, id, 'files');
      return addFile(
        graph,
        {
          location,
          field: field ?? name,
          hash: null,
          size: null,
          name: null,
          format,
          ...inputFiles.get(location),
        },
        work,
        accessed,
      );
    });
    if (isAllFiles(value)) return files;
    meet(met, id, 'values');
    const how = value === undefined ? { description: 'Not given: the workflow used its default.' } : {};
    return [
      ...files,
      graph.add({
        '@id': local('input', name),
        '@type': 'PropertyValue',
        name,
        value: literal(value),
        ...how,
        ...work,
      }),
    ];
  });
}

/** The outputs that an entity's fields are of: several where several items of the rule make its type. */
function outputsByField({ rule, workflow }: CrateSource, entityType: string): ReadonlyMap<string, string> {
  const items = outputsOf(rule.definition);
  const found = items
    .filter((item) => item.entity_type === entityType)
    .flatMap((item) => {
      const made = outputFields(item, items, workflow.outputs);
      return 'fields' in made ? made.fields : [];
    });
  return new Map(found.map(({ name, output }) => [name, output]));
}

/** An entity as a thing of its own: its files are parts of it, its other fields are properties. */
export function addEntity(
  graph: Graph,
  source: CrateSource,
  { entity: { id, entityType, data, createdAt }, files }: CrateSource['entities'][number],
  met: Values,
  made: string | null,
): readonly Ref[] {
  const outputs = outputsByField(source, entityType);
  const exampleOf = (field: string, kind: keyof Met): { exampleOfWork?: Ref } => {
    const output = outputs.get(/^[^/[.]*/.exec(field)?.[0] ?? field);
    if (output === undefined) return {};
    meet(met, parameterId('out', output), kind);
    return { exampleOfWork: ref(parameterId('out', output)) };
  };
  const parts = files.map((file) => addFile(graph, file, exampleOf(file.field, 'files'), made));
  const properties = Object.entries(data)
    .filter(([name, value]) => value !== null && !files.some((file) => file.field === name))
    .map(([name, value]) =>
      graph.add({
        '@id': local('property', id, name),
        '@type': 'PropertyValue',
        name,
        value: literal(value),
        ...exampleOf(name, 'values'),
      }),
    );
  const node = graph.add({
    '@id': local('entity', id),
    '@type': 'CreativeWork',
    identifier: id,
    name: `${entityType} ${id}`,
    additionalType: entityType,
    dateCreated: crateTime(createdAt),
    ...(parts.length === 0 ? {} : { hasPart: parts }),
    ...(properties.length === 0 ? {} : { additionalProperty: properties }),
  });
  return [...parts, node];
}

/** Outputs of which nothing was kept, or that the reader does not see, say so. */
export function addUnkept(graph: Graph, { workflow }: CrateSource, met: Values): void {
  for (const { name } of workflow.outputs) {
    const id = parameterId('out', name);
    if (met.has(id)) continue;
    meet(met, id, 'values');
    graph.add({
      '@id': local('output', name),
      '@type': 'PropertyValue',
      name,
      value: 'null',
      description: 'Not stored: there was no value, or the rule maps no entity to it.',
      exampleOfWork: ref(id),
    });
  }
}
