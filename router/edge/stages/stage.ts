// The interface of a stage: it passes a request on, answers it, or throws the error to answer with.
import type { Edge } from './edge-options.ts';
import type { EdgeRequestContext } from './edge-request-context.ts';

export const ANSWERED = Symbol('answered');
export type Answered = typeof ANSWERED;

/** Synchronous where possible; a promise only if it must wait. @throws DomainError */
export type Stage = (ctx: EdgeRequestContext, edge: Edge) => void | Answered | Promise<void | Answered>;
