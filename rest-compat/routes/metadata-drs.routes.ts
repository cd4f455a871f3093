// GA4GH Data Repository Service 1.5 over entities (docs/reference/metadata.md#drs,
// docs/reference/api-conventions.md#drs-answers): answers have no envelope, as its clients expect.
import { drsDialect } from '../dialects.ts';
import { route, type RestRoute, type RestRouteInput } from '../route.ts';
import { AS_OF } from './metadata-request.ts';

/** The host that the caller used, for `drs://` URIs. */
const hostOf = ({ header }: Pick<RestRouteInput<string, Record<never, never>>, 'header'>): string =>
  header('host') ?? 'localhost';

/** DRS has no null: unknown members are omitted. */
const withoutNulls = (value: object): object =>
  Object.fromEntries(Object.entries(value).filter(([, v]) => v !== null));

/** This service's website: the address that the caller used. */
const websiteOf = (input: Pick<RestRouteInput<string, Record<never, never>>, 'header'>): string =>
  `${input.header('x-forwarded-proto') === 'https' ? 'https' : 'http'}://${hostOf(input)}/`;

interface Service {
  version: string;
  drs_version: string;
  website: string;
}

export const drsRows: readonly RestRoute[] = [
  route({
    method: 'GET',
    path: '/ga4gh/drs/v1/objects/{object_id}',
    summary: 'An entity that describes a file, as a DRS object; by its id or a checksum.',
    pick: 'drsObject',
    dialect: drsDialect,
    absent: ({ object_id: id }) => `no DRS object: ${id}`,
    operation: `query DrsObject($id: ID!, $host: String!, $asOf: DateTime) { drsObject(id: $id, host: $host, asOf: $asOf) {
      id name self_uri: selfUri size created_time: createdTime updated_time: updatedTime version mime_type: mimeType checksums { checksum type }
      access_methods: accessMethods { type access_url: accessUrl { url } } description aliases } }`,
    query: AS_OF,
    variables: (input) => ({ id: input.params.object_id, host: hostOf(input), asOf: input.query.as_of }),
    responseSchema: {
      type: 'object',
      required: ['id', 'self_uri', 'size', 'created_time', 'checksums'],
      properties: {
        id: { type: 'string' },
        name: { type: 'string' },
        self_uri: { type: 'string' },
        size: { type: 'integer' },
        created_time: { type: 'string', format: 'date-time' },
        updated_time: { type: 'string', format: 'date-time' },
        version: { type: 'string' },
        mime_type: { type: 'string' },
        checksums: {
          type: 'array',
          minItems: 1,
          items: {
            type: 'object',
            required: ['checksum', 'type'],
            properties: { checksum: { type: 'string' }, type: { type: 'string' } },
          },
        },
        access_methods: {
          type: 'array',
          minItems: 1,
          items: {
            type: 'object',
            required: ['type'],
            properties: {
              type: { type: 'string' },
              access_url: { type: 'object', required: ['url'], properties: { url: { type: 'string' } } },
            },
          },
        },
        description: { type: 'string' },
        aliases: { type: 'array', items: { type: 'string' } },
      },
    },
    shape: withoutNulls,
  }),
  route({
    method: 'GET',
    path: '/ga4gh/drs/v1/service-info',
    summary: 'GA4GH service-info of the DRS service.',
    pick: 'drsService',
    dialect: drsDialect,
    operation:
      'query DrsServiceInfo($website: String!) { drsService(website: $website) { version drs_version: drsVersion website } }',
    variables: (input) => ({ website: websiteOf(input) }),
    responseSchema: {
      type: 'object',
      required: ['id', 'name', 'type', 'organization', 'version', 'maxBulkRequestLength'],
    },
    shape: ({ version, drs_version: drsVersion, website }: Service) => ({
      id: 'org.ga4gh.cairn',
      name: 'Cairn',
      version,
      description: 'Entities that describe files, as DRS objects.',
      type: { group: 'org.ga4gh', artifact: 'drs', version: drsVersion },
      organization: { name: 'Cairn', url: website },
      maxBulkRequestLength: 1,
      drs: { maxBulkRequestLength: 1 },
    }),
  }),
];
