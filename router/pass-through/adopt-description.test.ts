// docs/reference/gateway.md#openapi-description: components' own descriptions, with the gateway's paths and
// unique names.
import { expect, test } from 'vitest';
import { adoptDescription } from './adopt-description.ts';

const adopted = (description: unknown): unknown => adoptDescription('beacon', '/api/v1/beacon', description);

test("paths get the prefix, operation ids and component names the component's name, and references follow", () => {
  expect(
    adopted({
      openapi: '3.1.0',
      info: { title: 'Beacon', version: '1' },
      servers: [{ url: 'http://inside:5050' }],
      security: [{ own: [] }],
      paths: {
        '/items/{id}': {
          servers: [{ url: '/v2' }],
          parameters: [{ $ref: '#/components/parameters/Id' }],
          get: {
            operationId: 'getItem',
            tags: ['items'],
            security: [{ own: [] }],
            responses: {
              200: {
                description: 'It.',
                content: {
                  'application/json': {
                    schema: { $ref: '#/components/schemas/Item' },
                    example: { $ref: 'kept', operationId: 'kept' },
                  },
                },
              },
              default: { $ref: '#/components/responses/Failed' },
            },
          },
        },
      },
      components: {
        schemas: {
          Item: {
            type: 'object',
            properties: { default: { $ref: '#/components/schemas/Item' }, $ref: { type: 'string' } },
          },
        },
        parameters: { Id: { name: 'id', in: 'path', required: true, schema: { type: 'string' } } },
        responses: { Failed: { description: 'Not.' } },
        securitySchemes: { own: { type: 'http', scheme: 'basic' } },
      },
    }),
  ).toEqual({
    paths: {
      '/api/v1/beacon/items/{id}': {
        parameters: [{ $ref: '#/components/parameters/beacon_Id' }],
        get: {
          operationId: 'beacon_getItem',
          tags: ['beacon'],
          responses: {
            200: {
              description: 'It.',
              content: {
                'application/json': {
                  schema: { $ref: '#/components/schemas/beacon_Item' },
                  example: { $ref: 'kept', operationId: 'kept' },
                },
              },
            },
            default: { $ref: '#/components/responses/beacon_Failed' },
          },
        },
      },
    },
    components: {
      schemas: {
        beacon_Item: {
          type: 'object',
          properties: { default: { $ref: '#/components/schemas/beacon_Item' }, $ref: { type: 'string' } },
        },
      },
      parameters: { beacon_Id: { name: 'id', in: 'path', required: true, schema: { type: 'string' } } },
      responses: { beacon_Failed: { description: 'Not.' } },
    },
  });
});

test('a schema of OpenAPI 3.0 says the same in the words of 3.1', () => {
  const Old = {
    type: 'object',
    properties: {
      a: { type: 'string', nullable: true },
      b: { nullable: true, allOf: [{ $ref: '#/components/schemas/Old' }] },
      c: { type: 'integer', minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false },
      nullable: { type: 'boolean' },
    },
  };
  expect(adopted({ openapi: '3.0.3', paths: {}, components: { schemas: { Old } } })).toEqual({
    paths: {},
    components: {
      schemas: {
        beacon_Old: {
          type: 'object',
          properties: {
            a: { type: ['string', 'null'] },
            b: { anyOf: [{ allOf: [{ $ref: '#/components/schemas/beacon_Old' }] }, { type: 'null' }] },
            c: { type: 'integer', exclusiveMinimum: 1, maximum: 9 },
            nullable: { type: 'boolean' },
          },
        },
      },
    },
  });
});

test.each([null, [], 'text', {}, { openapi: 3 }, { swagger: '2.0', paths: {} }, { openapi: '2.0' }])(
  '%j is no description',
  (value) => {
    expect(adopted(value)).toBeUndefined();
  },
);
