// What all operations stand on: the way to the server, and the validators that writes pass first.
import type { Transport } from './transport/transport.ts';
import type { ValidationPipeline } from './validation/pipeline.ts';

export interface Core {
  readonly transport: Transport;
  readonly validators: ValidationPipeline;
}
