// The frozen contracts: the composed GraphQL schema, each subgraph's SDL, and the OpenAPI description. Any
// change appears here.
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';
import {
  printSchema,
  lexicographicSortSchema,
  buildClientSchema,
  type GraphQLSchema,
  getIntrospectionQuery,
  type IntrospectionQuery,
} from 'graphql';
import openapiTS, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { COMPONENT_KINDS } from '../router/main/component-kinds.ts';
import { parseConfig } from '../platform/config/load-config.ts';
import { askNobody } from '../subgraphs/artifact/platform-port.ts';
import { freshDatabase, testLog } from './testkit/database.ts';
import { startServer, type TestServer } from './testkit/server.ts';

// CommonJS packages
const { Spectral } = spectralCore;
const { oas } = spectralRulesets;

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server[Symbol.asyncDispose]());

/** What has no description, by its name: types, fields, arguments, words and directives. */
const undescribed = (schema: GraphQLSchema): readonly string[] =>
  [
    ...schema.getDirectives().flatMap((directive) => [directive, ...directive.args]),
    ...Object.values(schema.getTypeMap())
      .filter(({ name }) => !name.startsWith('__'))
      .flatMap((type) => [
        type,
        ...('getFields' in type ? Object.values(type.getFields()) : []).flatMap((field) => [
          field,
          ...('args' in field ? field.args : []),
        ]),
        ...('getValues' in type ? type.getValues() : []),
      ]),
  ]
    .filter(({ description }) => (description ?? '') === '')
    .map(({ name }) => name);

test('the API schema that clients see', async () => {
  const { body } = await server.graphql(getIntrospectionQuery());
  const schema = lexicographicSortSchema(buildClientSchema(body.data as IntrospectionQuery));
  await expect(printSchema(schema)).toMatchFileSnapshot('contract/api.graphql');
  expect(undescribed(schema)).toEqual([]);
  // names that schemas must not use in the typed part of the graph: read at run time
  const types = Object.keys(schema.getTypeMap())
    .filter((name) => !name.startsWith('__'))
    .sort();
  await expect(`${types.join('\n')}\n`).toMatchFileSnapshot('../subgraphs/metadata/typed/reserved-types.txt');
});

test.each(COMPONENT_KINDS)('the SDL of $name', async (kind) => {
  await using database = await freshDatabase();
  const config = parseConfig('', '/gateway.yaml', { env: {}, cwd: '/' });
  const component = await kind.create({
    config,
    database,
    log: testLog,
    ask: askNobody,
    publicUrl: () => 'https://cairn.test',
    onReady: () => undefined,
  });
  await expect(await component.sdl()).toMatchFileSnapshot(`contract/${kind.name}.graphql`);
  await component.close();
});

test('the OpenAPI description is valid and frozen, its names prefixed by component', async () => {
  const { body, status } = await server.rest('GET', '/api/v1/openapi.json', { key: null });
  expect(status).toBe(200);
  expect(await new Validator().validate(structuredClone(body))).toMatchObject({ valid: true });
  const names = [
    ...Object.keys(body.components.schemas),
    ...Object.values(body.paths as Record<string, Record<string, { operationId: string }>>).flatMap((p) =>
      Object.values(p).map((o) => o.operationId),
    ),
  ];
  for (const name of names) expect(name).toMatch(/^(gateway|metadata|workflow|artifact)_/);
  expect(new Set(names).size).toBe(names.length);
  await expect(`${JSON.stringify(body, null, 2)}\n`).toMatchFileSnapshot('contract/openapi.json');
  // What a typed client is compiled with: every-operation.test.ts
  const paths = astToString(await openapiTS(structuredClone(body)));
  await expect(paths).toMatchFileSnapshot('contract/openapi-paths.d.ts');
});

test('linters of descriptions find nothing', async () => {
  const { text } = await server.rest('GET', '/api/v1/openapi.json', { key: null });
  const config = await createConfig({ extends: ['recommended'] });
  expect(await lintFromString({ source: text, config })).toEqual([]);
  const spectral = new Spectral();
  // a contact is for the operator to say
  spectral.setRuleset({ extends: [oas as RulesetDefinition], rules: { 'info-contact': 'off' } });
  expect(await spectral.run(text)).toEqual([]);
});
