// Writes the TypeScript types of a subgraph's resolvers from its SDL. Run by generate.mjs, which knows when they are
// out of date: node scripts/resolver-types.mjs <folder>
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { codegen } from '@graphql-codegen/core';
import * as typescript from '@graphql-codegen/typescript';
import * as resolvers from '@graphql-codegen/typescript-resolvers';
import { concatAST, Kind, parse } from 'graphql';
import { resolverTypes } from './generate.mjs';

/** Directives of Federation, which the SDL imports by `@link`: composition checks how they are used. */
const FEDERATION = parse(`
  directive @link(url: String!, import: [String!]) on SCHEMA
  directive @key(fields: String!, resolvable: Boolean = true) repeatable on OBJECT | INTERFACE
  directive @shareable on OBJECT | FIELD_DEFINITION
  directive @cost(weight: Int!) on ARGUMENT_DEFINITION | ENUM | FIELD_DEFINITION | INPUT_FIELD_DEFINITION | OBJECT | SCALAR
  directive @listSize(assumedSize: Int, slicingArguments: [String!], sizedFields: [String!], requireOneSlicingArgument: Boolean = true) on FIELD_DEFINITION
`);

const CONFIG = {
  useTypeImports: true,
  immutableTypes: true,
  // a field that may be null is not one that may be left out: who leaves it out has forgotten it
  avoidOptionals: { field: true },
  enumsAsTypes: true,
  skipTypename: true,
  inputMaybeValue: 'T | null',
  importExtension: '.ts',
  defaultScalarType: 'unknown',
  // what resolvers are given and answer; the scalars of graphql-scalars and our own see to it
  scalars: {
    ID: 'string',
    DateTime: 'string',
    JSON: 'unknown',
    ProvenanceContext: 'string',
    SafeInt: 'number',
  },
};

/**
 * An argument with a default is never left out, but may be null where its type may: the generator's own type
 * says that it may not.
 */
const [REQUIRED, TRUE_REQUIRED] = ['{ [P in K]-?: NonNullable<T[P]> }', '{ [P in K]-?: T[P] }'];

/** `models.json` as the generator wants it: types under a name that no type of the SDL has, enums by themselves. */
function modelsOf(models, { definitions }) {
  const enums = new Set(
    definitions.filter(({ kind }) => kind === Kind.ENUM_TYPE_DEFINITION).map(({ name }) => name.value),
  );
  const entries = Object.entries(models);
  return {
    mappers: Object.fromEntries(
      entries
        .filter(([name]) => !enums.has(name))
        .map(([name, model]) => [name, model.replace(/#(\w+)$/, '#$1 as $1Model')]),
    ),
    enumValues: Object.fromEntries(entries.filter(([name]) => enums.has(name))),
  };
}

const [folder] = process.argv.slice(2);
const { sdlFiles, models, output } = resolverTypes(folder);
const schema = concatAST([FEDERATION, ...sdlFiles.map((file) => parse(readFileSync(file, 'utf8')))]);
const { mappers, enumValues } = modelsOf(JSON.parse(readFileSync(models, 'utf8')), schema);
const text = await codegen({
  filename: output,
  schema,
  documents: [],
  config: { ...CONFIG, mappers, enumValues },
  plugins: [{ typescript: {} }, { resolvers: { federation: true } }],
  pluginMap: { typescript, resolvers },
});
if (!text.includes(REQUIRED))
  throw new Error('the generator writes RequireFields otherwise than is known here');
const corrected = text
  .replace(REQUIRED, TRUE_REQUIRED)
  .replaceAll(/^export \{ (\w+) \};$/gm, 'export type { $1 };');
mkdirSync(path.dirname(output), { recursive: true });
writeFileSync(output, `// Made from ${folder}/**/*.graphql by scripts/resolver-types.mjs.\n${corrected}`);
