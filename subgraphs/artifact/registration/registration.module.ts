// Registration of rules as a noun of the artifact subgraph.
import { perOperation, readSdl } from '../../../platform/subgraph-module.ts';
import type { ArtifactNoun } from '../noun.ts';
import { registrationDeps } from './registration-deps.ts';
import { type RegistrationContext, registrationResolvers } from './registration.resolvers.ts';
import { RegistrationService, type RegistrationSlice } from './registration.service.ts';

export const registration: ArtifactNoun<RegistrationSlice, RegistrationContext> = {
  typeDefs: readSdl('subgraphs/artifact/registration/registration.graphql'),
  resolvers: registrationResolvers,
  permissions: {
    // at least for one's own rules; the service checks what a rule's scope requires beyond that
    'Mutation.registerRule': 'rule:write:own',
    'Mutation.deprecateRule': 'rule:write:own',
  },
  services(deps) {
    const registering = registrationDeps(deps);
    return {
      registration: perOperation(({ caller, rules }) => new RegistrationService(registering, caller, rules)),
    };
  },
};
