// The documentation of a component that is served alone: its own OpenAPI description, and its page.
import type { GraphQLSchema } from 'graphql';
import { DOCS, docsRoutes } from '../platform/docs-page.ts';
import type { RestApi, Match } from '../platform/request-context.ts';
import type { Permission } from '../platform/permissions.ts';
import { productVersion } from '../platform/product-version.ts';
import type { RestApiKind } from './rest-apis.ts';
import { withAnswerExamples } from './answer-examples.ts';
import { describeRows, openObjects, TAG_DESCRIPTIONS } from './openapi.ts';

const DESCRIPTION = '/api/v1/openapi.json';

export interface Documented {
  readonly kind: RestApiKind;
  readonly schema: GraphQLSchema;
  readonly permissionOf: (document: string) => Permission;
}

function description({ kind, schema, permissionOf }: Documented): string {
  const { paths, schemas } = describeRows({
    component: kind.name,
    prefix: '',
    rows: kind.rows.filter((row) => row.of === undefined || row.of === kind.name),
    schema,
    permissionOf,
    envelope: kind.payloadSchema,
    error: kind.errorSchema,
  });
  return JSON.stringify({
    openapi: '3.1.0',
    info: {
      title: `Cairn, ${kind.name}`,
      version: productVersion,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [{ name: kind.name, description: TAG_DESCRIPTIONS[kind.name] }],
    security: [{ bearer: [] }],
    paths: openObjects(withAnswerExamples(paths)),
    components: {
      schemas: openObjects(schemas),
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
      },
    },
  });
}

/**
 * Adds the description and its page before the component's own paths, at the same paths as in the gateway.
 */
export function documented(restApi: RestApi, what: Documented): RestApi {
  let text: string | undefined;
  const pages = docsRoutes();
  const describe: Match = {
    template: DESCRIPTION,
    access: 'public',
    handle({ res }) {
      text ??= description(what);
      res
        .writeHead(200, {
          'content-type': 'application/json; charset=utf-8',
          'content-length': Buffer.byteLength(text),
        })
        .end(text);
    },
  };
  const matchPage = (path: string): Match | undefined => {
    if (path === DESCRIPTION) return describe;
    const page = pages.find((each) =>
      each.path.endsWith('/{name}')
        ? path.startsWith(each.path.slice(0, -'{name}'.length))
        : path === each.path,
    );
    return page && { template: page.path, access: page.access, handle: page.handle };
  };
  return {
    ...restApi,
    match: (method, path) =>
      (method === 'GET' && (path === DESCRIPTION || path.startsWith(DOCS)) ? matchPage(path) : undefined) ??
      restApi.match(method, path),
  };
}
