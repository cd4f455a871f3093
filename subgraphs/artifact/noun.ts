// The type of a noun of the artifact subgraph, and what its services are created from.
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Config } from '../../platform/config/load-config.ts';
import type { Database } from '../../platform/database/connect.ts';
import type { OperationContext } from '../../platform/operation-context.ts';
import type { SubgraphModule } from '../../platform/subgraph-module.ts';
import type { Resolvers } from './generated/resolvers.ts';
import type { AskPlatform } from './platform-port.ts';
import type { Productions } from './production-worker/create-productions.ts';
import type { StalenessFor } from './staleness/create-staleness.ts';
import type { StaleMarks } from './staleness/stale-marks.ts';
import type { UploadDeps } from './uploads/uploads.service.ts';
import type { ResolutionDeps } from './planning/resolution.service.ts';

export interface ArtifactDeps {
  readonly pool: Pool;
  readonly listen: Database['listen'];
  readonly log: Logger;
  /** The platform's graph under an identity: schemas and entities belong to metadata. */
  readonly ask: AskPlatform;
  readonly settings: Config['artifact'];
  /** The server's public address, without a trailing slash; known once it listens. */
  readonly publicUrl: () => string;
  readonly planning: ResolutionDeps;
  readonly productions: Productions;
  readonly receiving: UploadDeps;
  /** Which results are stale. */
  readonly marks: StaleMarks;
  /** Whether a result is stale, for a caller. */
  readonly staleness: StalenessFor;
}

/** `Slice` is what the noun adds to the context, `Context` what its resolvers and services require. */
export interface ArtifactNoun<
  Slice extends object,
  Context extends OperationContext = OperationContext & Slice,
> extends SubgraphModule<ArtifactDeps, Slice, Context> {
  readonly resolvers: Resolvers<Context>;
}
