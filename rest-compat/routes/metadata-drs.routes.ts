// GA4GH Data Repository Service 1.5 over entities (docs/reference/metadata.md#drs,
// docs/reference/api-conventions.md#drs-answers): answers have no envelope, as its clients expect.
import { AS_OF } from '../parameters.ts';
import { drsDialect } from '../dialects.ts';
import { route, type RestRoute, type RestRouteInput } from '../route.ts';
import {
  ACCESS_REQUESTS_SCHEMA,
  accessRequestsIn,
  IDS_SCHEMA,
  PASSPORTS_SCHEMA,
  idsIn,
} from './drs-requests.ts';
import { BULK_SCHEMA, OBJECT_SCHEMA } from './drs-schemas.ts';

/** The host that the caller used, for `drs://` URIs. */
const hostOf = ({ header }: Pick<RestRouteInput<string, Record<never, never>>, 'header'>): string =>
  header('host') ?? 'localhost';

const OBJECT = `id name self_uri: selfUri size created_time: createdTime updated_time: updatedTime version mime_type: mimeType checksums { checksum type }
      access_methods: accessMethods { type access_id: accessId access_url: accessUrl { url } } description aliases`;

interface Method {
  readonly access_id: string | null;
  readonly access_url: { readonly url: string };
}
interface Found {
  readonly access_methods: readonly Method[] | null;
}

/** DRS has no null: unknown members are omitted. */
const withoutNulls = (value: object): object =>
  Object.fromEntries(Object.entries(value).filter(([, v]) => v !== null));

const objectOf = ({ access_methods: methods, ...object }: Found): object =>
  withoutNulls({ ...object, access_methods: methods?.map(withoutNulls) ?? null });

const noAccess = ({ object_id: id, access_id: accessId }: Readonly<Record<string, string>>): string =>
  `no access ${accessId} of DRS object ${id}`;

const noObject = ({ object_id: id }: Readonly<Record<string, string>>): string => `no DRS object: ${id}`;

const absentOnes = (ids: readonly string[]): readonly object[] =>
  ids.length === 0 ? [] : [{ error_code: 404, object_ids: ids }];

/** This service's website: the address that the caller used. */
const websiteOf = (input: Pick<RestRouteInput<string, Record<never, never>>, 'header'>): string =>
  `${input.header('x-forwarded-proto') === 'https' ? 'https' : 'http'}://${hostOf(input)}/`;

interface Several {
  readonly requested: number;
  readonly resolved: readonly Found[];
  readonly unresolved: readonly string[];
}

interface SeveralAccesses {
  readonly requested: number;
  readonly resolved: readonly unknown[];
  readonly unresolved: readonly string[];
}

interface Service {
  version: string;
  drs_version: string;
  website: string;
}

export const drsRows: readonly RestRoute[] = [
  route({
    method: 'GET',
    path: '/ga4gh/drs/v1/objects/{object_id}',
    summary: 'Returns an entity that describes a file as a DRS object, by its id or a checksum.',
    pick: 'drsObject',
    dialect: drsDialect,
    absent: noObject,
    operation: `query DrsObject($id: ID!, $host: String!, $asOf: DateTime) { drsObject(id: $id, host: $host, asOf: $asOf) {
      ${OBJECT} } }`,
    query: AS_OF,
    variables: (input) => ({ id: input.params.object_id, host: hostOf(input), asOf: input.query.as_of }),
    responseSchema: OBJECT_SCHEMA,
    shape: objectOf,
  }),
  route({
    method: 'POST',
    path: '/ga4gh/drs/v1/objects/{object_id}',
    summary: 'Does the same as GET; passports are ignored.',
    pick: 'drsObject',
    dialect: drsDialect,
    absent: noObject,
    operation: `query DrsObjectByPost($id: ID!, $host: String!) { drsObject(id: $id, host: $host) {
      ${OBJECT} } }`,
    body: 'optional',
    bodySchema: PASSPORTS_SCHEMA,
    variables: (input) => ({ id: input.params.object_id, host: hostOf(input) }),
    responseSchema: OBJECT_SCHEMA,
    shape: objectOf,
  }),
  route({
    method: 'OPTIONS',
    path: '/ga4gh/drs/v1/objects/{object_id}',
    summary:
      'Returns how requests for an object are authorized: by a bearer token, whether or not the object exists.',
    pick: 'drsAuthorizations',
    dialect: drsDialect,
    access: 'public',
    operation:
      'query DrsAuthorizations($id: ID!) { drsAuthorizations(id: $id) { drs_object_id: objectId supported_types: supportedTypes } }',
    variables: ({ params }) => ({ id: params.object_id }),
  }),
  route({
    method: 'POST',
    path: '/ga4gh/drs/v1/objects',
    summary: 'Returns several entities as DRS objects, at most 100, and lists those that do not exist.',
    pick: 'objects',
    dialect: drsDialect,
    operation: `query DrsObjects($ids: [ID!]!, $host: String!) { objects: drsObjects(ids: $ids, host: $host) { requested
      resolved { ${OBJECT} } unresolved } }`,
    body: 'required',
    bodySchema: IDS_SCHEMA,
    variables: (input) => ({ ids: idsIn(input.body), host: hostOf(input) }),
    responseSchema: BULK_SCHEMA,
    shape: ({ requested, resolved, unresolved }: Several) => ({
      summary: { requested, resolved: resolved.length, unresolved: unresolved.length },
      resolved_drs_object: resolved.map(objectOf),
      unresolved_drs_objects: absentOnes(unresolved),
    }),
  }),
  route({
    method: 'OPTIONS',
    path: '/ga4gh/drs/v1/objects',
    summary:
      'Returns how requests for several objects, at most 100, are authorized, whether or not the objects exist.',
    pick: 'authorizations',
    dialect: drsDialect,
    access: 'public',
    operation:
      'query DrsBulkAuthorizations($ids: [ID!]!) { authorizations: drsBulkAuthorizations(ids: $ids) { drs_object_id: objectId supported_types: supportedTypes } }',
    body: 'required',
    bodySchema: IDS_SCHEMA,
    variables: ({ body }) => ({ ids: idsIn(body) }),
    responseSchema: {
      type: 'object',
      required: ['summary', 'resolved_drs_object', 'unresolved_drs_objects'],
    },
    shape: (found: readonly unknown[]) => ({
      summary: { requested: found.length, resolved: found.length, unresolved: 0 },
      resolved_drs_object: found,
      unresolved_drs_objects: [],
    }),
  }),
  route({
    method: 'GET',
    path: '/ga4gh/drs/v1/objects/{object_id}/access/{access_id}',
    summary: 'Returns the address of a stored file, which is downloaded with the same credential.',
    pick: 'drsAccess',
    dialect: drsDialect,
    absent: noAccess,
    operation:
      'query DrsAccess($id: ID!, $accessId: ID!) { drsAccess(id: $id, accessId: $accessId) { url } }',
    variables: ({ params }) => ({ id: params.object_id, accessId: params.access_id }),
  }),
  route({
    method: 'POST',
    path: '/ga4gh/drs/v1/objects/{object_id}/access/{access_id}',
    summary: 'Does the same as GET; passports are ignored.',
    pick: 'drsAccess',
    dialect: drsDialect,
    absent: noAccess,
    operation:
      'query DrsAccessByPost($id: ID!, $accessId: ID!) { drsAccess(id: $id, accessId: $accessId) { url } }',
    body: 'optional',
    bodySchema: PASSPORTS_SCHEMA,
    variables: ({ params }) => ({ id: params.object_id, accessId: params.access_id }),
  }),
  route({
    method: 'POST',
    path: '/ga4gh/drs/v1/objects/access',
    summary:
      'Returns the addresses of stored files of several objects, at most 100, and lists objects for which some are missing.',
    pick: 'accesses',
    dialect: drsDialect,
    operation: `query DrsAccesses($requests: [DrsAccessRequest!]!) { accesses: drsAccesses(requests: $requests) {
      requested resolved { drs_object_id: objectId drs_access_id: accessId url } unresolved } }`,
    body: 'required',
    bodySchema: ACCESS_REQUESTS_SCHEMA,
    variables: ({ body }) => ({ requests: accessRequestsIn(body) }),
    responseSchema: {
      type: 'object',
      required: ['summary', 'resolved_drs_object_access_urls', 'unresolved_drs_objects'],
    },
    shape: ({ requested, resolved, unresolved }: SeveralAccesses) => ({
      summary: { requested, resolved: resolved.length, unresolved: requested - resolved.length },
      resolved_drs_object_access_urls: resolved,
      unresolved_drs_objects: absentOnes(unresolved),
    }),
  }),
  route({
    method: 'GET',
    path: '/ga4gh/drs/v1/service-info',
    summary: 'Returns the GA4GH service-info of the DRS service.',
    access: 'public',
    pick: 'drsService',
    dialect: drsDialect,
    operation:
      'query DrsServiceInfo($website: String!) { drsService(website: $website) { version drs_version: drsVersion website } }',
    variables: (input) => ({ website: websiteOf(input) }),
    responseSchema: {
      type: 'object',
      required: ['id', 'name', 'type', 'organization', 'version', 'maxBulkRequestLength'],
      properties: {
        id: { type: 'string' },
        name: { type: 'string' },
        description: { type: 'string' },
        version: { type: 'string' },
        type: { type: 'object' },
        organization: { type: 'object' },
        maxBulkRequestLength: { type: 'integer' },
        drs: { type: 'object' },
      },
    },
    shape: ({ version, drs_version: drsVersion, website }: Service) => ({
      id: 'org.ga4gh.cairn',
      name: 'Cairn',
      version,
      description: 'Lists entities that describe files as DRS objects.',
      type: { group: 'org.ga4gh', artifact: 'drs', version: drsVersion },
      organization: { name: 'Cairn', url: website },
      maxBulkRequestLength: 100,
      drs: { maxBulkRequestLength: 100 },
    }),
  }),
];
