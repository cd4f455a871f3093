// The nouns of the artifact subgraph.
import type { OperationContext } from '../../platform/operation-context.ts';
import { permissionsOf, readSdl, type SlicesOf } from '../../platform/subgraph-module.ts';
import { attachments } from './attachments/attachments.module.ts';
import { causalLinks } from './causal-links/causal-links.module.ts';
import { differences } from './differences/differences.module.ts';
import { files } from './files/files.module.ts';
import type { ArtifactNoun } from './noun.ts';
import { productions } from './productions/productions.module.ts';
import { registration } from './registration/registration.module.ts';
import { resolution } from './resolution/resolution.module.ts';
import { crates } from './ro-crate/ro-crate.module.ts';
import { refresh } from './refresh/refresh.module.ts';
import { staleness } from './staleness/staleness.module.ts';
import { uploads } from './uploads/uploads.module.ts';
import { ruleWorkflows } from './rule-workflows/rule-workflows.module.ts';
import { rules } from './rules/rules.module.ts';

const scalars: ArtifactNoun<object> = {
  typeDefs: readSdl('subgraphs/artifact/schema.graphql'),
  resolvers: {},
  permissions: {},
  services: () => ({}),
};

// in the order of the subgraph's SDL
export const ARTIFACT_NOUNS = [
  scalars,
  rules,
  registration,
  resolution,
  productions,
  files,
  attachments,
  uploads,
  crates,
  ruleWorkflows,
  causalLinks,
  staleness,
  differences,
  refresh,
] as const;

export type ArtifactContext = OperationContext & SlicesOf<typeof ARTIFACT_NOUNS>;

/** The permissions of the root fields (docs/reference/artifact.md#roles). */
export const artifactPermissions = permissionsOf(ARTIFACT_NOUNS);
