// Resolvers that depart from their SDL, each in one way: none of them compiles. Where one did, `tsc` would find the
// expected error missing. Nothing runs them.
import type { OperationContext } from '../platform/operation-context.ts';
import type { Resolvers as GatewayResolvers } from '../router/gateway-schema/generated/resolvers.ts';
import type { Resolvers as ArtifactResolvers } from '../subgraphs/artifact/generated/resolvers.ts';
import type { Resolvers as MetadataResolvers } from '../subgraphs/metadata/generated/resolvers.ts';
import type { Resolvers as WorkflowResolvers } from '../subgraphs/workflow/generated/resolvers.ts';

const actor = { actor: 'user:ada', roles: ['viewer' as const], projects: null };

export const asTheSdlSays = {
  Query: { me: () => actor, latestScan: () => null },
} satisfies GatewayResolvers<OperationContext>;

export const noSuchRootField = {
  // @ts-expect-error the SDL has `me`
  Query: { myself: () => actor },
} satisfies GatewayResolvers<OperationContext>;

export const noSuchType = {
  // @ts-expect-error the SDL has no such type
  Person: { name: () => 'Ada' },
} satisfies GatewayResolvers<OperationContext>;

export const noSuchField = {
  // @ts-expect-error StoredFile has `url`
  StoredFile: { address: () => 'https://example.org' },
} satisfies ArtifactResolvers<OperationContext>;

export const noSuchArgument = {
  Query: {
    // @ts-expect-error it takes `hash`
    storedFile: (_, { digest }) => (digest === '' ? null : null),
  },
} satisfies ArtifactResolvers<OperationContext>;

export const argumentOfAnotherType = {
  Query: {
    entity: (_, { id }) => {
      // @ts-expect-error an ID is text
      const number: number = id;
      return number === 0 ? null : null;
    },
  },
} satisfies MetadataResolvers<OperationContext>;

export const nullWhereTheSdlHasNone = {
  // @ts-expect-error Actor!
  Query: { me: () => null },
} satisfies GatewayResolvers<OperationContext>;

export const missingField = {
  // @ts-expect-error `projects` is missing
  Query: { me: () => ({ actor: 'user:ada', roles: ['viewer' as const] }) },
} satisfies GatewayResolvers<OperationContext>;

export const noSuchValueOfAnEnum = {
  // @ts-expect-error there is no such role
  Query: { me: () => ({ ...actor, roles: ['owner'] }) },
} satisfies GatewayResolvers<OperationContext>;

export const oneForAList = {
  // @ts-expect-error [Role!]!
  Query: { me: () => ({ ...actor, roles: 'viewer' as const }) },
} satisfies GatewayResolvers<OperationContext>;

export const textForANumber = {
  // @ts-expect-error Int!
  Entity: { version: () => '1' },
} satisfies MetadataResolvers<OperationContext>;

export const notInTheContext = {
  Query: {
    // @ts-expect-error the noun's context has no such service
    trigger: (_, { name }, { triggers }) => triggers.get(name),
  },
} satisfies WorkflowResolvers<OperationContext>;
