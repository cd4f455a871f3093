// The shared parts of all operations: the transport, and the validators that writes run.
import type { Transport } from './transport/transport.ts';
import type { ValidationPipeline } from './validation/pipeline.ts';

export interface Core {
  readonly transport: Transport;
  readonly validators: ValidationPipeline;
}
