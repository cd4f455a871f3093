// Writes rows of a bulk ingest by one operation, and tells what became of each.
import { runWithin } from '../../platform/budget/budgeted.ts';
import { DEFAULT_OPERATION_LIMITS, type OperationLimits } from '../../platform/budget/limits.ts';
import type { ComponentExtensions } from '../../platform/component.ts';
import type { DomainError } from '../../platform/errors.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import type { Prepare } from '../answering.ts';
import type { Envelope } from '../envelopes.ts';
import { domainErrorOf } from '../failing.ts';
import type { RestRoute } from '../route.ts';
import type { Entity } from './read-row.ts';

export interface Ingested {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly changes: readonly ('CREATED' | 'UPDATED' | 'UNCHANGED' | null)[];
  readonly results: readonly ({ readonly id: string; readonly version: number } | null)[];
  readonly errors: readonly {
    readonly index: number;
    readonly code: number;
    readonly message: string;
    readonly rule_id: string | null;
    readonly details: unknown;
  }[];
}

export interface BulkOptions {
  readonly prepare: Prepare;
  readonly envelope: Envelope;
  readonly refuse: (message: string) => DomainError;
  readonly extensions: () => Promise<ComponentExtensions>;
  readonly limits?: OperationLimits;
}

/** What is to be done with the rows. */
export interface IngestVariables {
  readonly entities: readonly Entity[];
  readonly context: unknown;
  readonly allOrNothing?: boolean;
  readonly dryRun?: boolean;
}

/** What became of the entities of a batch, in their order. @throws DomainError where none of them was looked at */
export async function ingest(
  { prepare, limits = DEFAULT_OPERATION_LIMITS }: BulkOptions,
  route: RestRoute,
  variables: IngestVariables,
  { caller }: RequestContext,
): Promise<{ readonly done: Ingested; readonly extensions: ComponentExtensions }> {
  const { run } = prepare(route.operation);
  const { result, budget } = await runWithin(limits, caller, false, (budgeted) =>
    run({ ...variables }, budgeted),
  );
  budget.close();
  const error = result.errors?.[0];
  if (error) throw domainErrorOf(error);
  const text = result.texts?.[route.pick];
  const done = (text === undefined ? result.data?.[route.pick] : JSON.parse(text)) as Ingested; // as selected
  return { done, extensions: result.extensions ?? {} };
}

/** An outcome of a row, beside its place. */
export type Told = Readonly<Record<string, unknown>>;

export const refusalOf = ({ status, message, details }: DomainError): Told => ({
  code: status,
  message,
  rule_id: null,
  details,
});

/** The refusals of entities of an operation. */
export const refusalsOf = ({ errors }: Ingested, entities: readonly Entity[]): Map<Entity, Told> =>
  new Map(
    errors.flatMap(({ index, ...refusal }) => {
      const entity = entities[index];
      return entity === undefined ? [] : [[entity, refusal] as const];
    }),
  );

/** What became of each entity. */
export function toldOf(done: Ingested, entities: readonly Entity[]): Map<Entity, Told> {
  const told = refusalsOf(done, entities);
  for (const [i, entity] of entities.entries()) {
    const [change, written] = [done.changes[i], done.results[i]];
    if (change != null) told.set(entity, { ...written, change: change.toLowerCase() });
  }
  return told;
}
