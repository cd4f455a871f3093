// What the resolvers of one operation work with.
import type { OperationContext } from '../../platform/subgraph.ts';
import type { CrateService } from './crates/crates.service.ts';
import type { FileService } from './files/files.service.ts';
import type { ProductionRequestService } from './productions/production-requests.service.ts';
import type { ProductionService } from './productions/productions.service.ts';
import type { RegistrationService } from './registration/registration.service.ts';
import type { ResolutionService } from './resolution/resolution.service.ts';
import type { ReuseService } from './reuse/reuse.service.ts';
import type { RuleService } from './rules/rules.service.ts';

export interface ArtifactContext extends OperationContext {
  readonly rules: RuleService;
  readonly registration: RegistrationService;
  readonly resolution: ResolutionService;
  readonly productions: ProductionService;
  readonly requests: ProductionRequestService;
  readonly reuse: ReuseService;
  readonly files: FileService;
  readonly crates: CrateService;
}
