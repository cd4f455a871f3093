// Content that flows into a part of an upload, until it ends, breaks off or is stopped.
import type { Readable } from 'node:stream';
import { badRequest, type DomainError } from '../../../platform/errors.ts';
import type { PartSink } from './part-sink.ts';

const endedEarly = (): DomainError => badRequest('the body ended prematurely; what has come of it is kept');

/**
 * Lets the content flow until it ends, breaks off, or is stopped; what has come is written then.
 * @returns why it ended early; undefined for its end
 * @throws what ends writing
 */
export function flow(content: Readable, sink: PartSink, stop: AbortSignal): Promise<Error | undefined> {
  return new Promise((resolve, reject) => {
    let reason: Error | undefined;
    const early = (why: Error): void => {
      reason ??= why;
      content.unpipe(sink);
      sink.end();
    };
    const onStop = (): void => early(stop.reason as Error); // whoever stops it gives an error
    const onClose = (): void => {
      if (!content.readableEnded) early(endedEarly());
    };
    const settle = (done: () => void): void => {
      stop.removeEventListener('abort', onStop);
      content.off('close', onClose);
      done();
    };
    content.on('error', () => early(endedEarly()));
    content.on('close', onClose);
    stop.addEventListener('abort', onStop, { once: true });
    sink.once('finish', () => settle(() => resolve(reason)));
    sink.once('error', (fault) => {
      content.unpipe(sink);
      settle(() => reject(fault));
    });
    if (stop.aborted) onStop();
    else if (content.destroyed && !content.readableEnded) onClose();
    else content.pipe(sink);
  });
}
