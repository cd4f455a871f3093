// The component's own health and information (docs/reference/metadata.md#status): no credential is needed.
import { route, type RestRoute } from '../route.ts';

export const statusRows: readonly RestRoute[] = [
  route({
    method: 'GET',
    path: '/health',
    summary: 'Returns the health of the component.',
    pick: 'metadataService',
    access: 'public',
    operation: 'query MetadataHealth { metadataService { status service } }',
    variables: () => ({}),
    status: ({ status }: { status: string }) => (status === 'healthy' ? 200 : 503),
    otherStatuses: [503],
  }),
  route({
    method: 'GET',
    path: '/',
    summary: 'Returns the name and version of the service and the address of its documentation.',
    pick: 'metadataService',
    access: 'public',
    operation: 'query MetadataInfo { metadataService { service version docs } }',
    variables: () => ({}),
  }),
];
