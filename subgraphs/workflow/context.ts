// What the resolvers of one operation work with.
import type { OperationContext } from '../../platform/subgraph.ts';
import type { ObservationService } from './observations/observations.service.ts';
import type { RunCommands } from './runs/run-commands.service.ts';
import type { RunService } from './runs/runs.service.ts';
import type { TriggerService } from './triggers/triggers.service.ts';

export interface WorkflowContext extends OperationContext {
  readonly triggers: TriggerService;
  readonly runs: RunService;
  readonly commands: RunCommands;
  readonly observations: ObservationService;
}
