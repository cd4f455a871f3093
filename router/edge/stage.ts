// What a stage is: it lets a request pass, answers it, or throws the error that it is answered with.
import type { Edge } from './edge-options.ts';
import type { EdgeRequestContext } from './edge-request-context.ts';

export const ANSWERED = Symbol('answered');
export type Answered = typeof ANSWERED;

/** Runs at once where it can; a promise only where it must wait. @throws DomainError */
export type Stage = (ctx: EdgeRequestContext, edge: Edge) => void | Answered | Promise<void | Answered>;
