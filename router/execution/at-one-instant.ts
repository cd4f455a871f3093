// Runs an operation as of one instant in all components, if its document or its request asks for that, and says what the
// answer is based on (docs/reference/api-conventions.md#one-instant-for-an-operation).
import { Kind, type OperationDefinitionNode, valueFromASTUntyped } from 'graphql';
import type {
  Component,
  ComponentError,
  ComponentExtensions,
  ComponentResult,
} from '../../platform/component.ts';
import { refusedResult } from '../../platform/budget/budgeted.ts';
import { DomainError, errorCodeOf, invalid } from '../../platform/errors.ts';
import { callerAsOf } from '../../platform/caller-with.ts';
import type { Caller } from '../../platform/identity.ts';
import { isObject } from '../../platform/json-object.ts';
import { oncePer } from '../../platform/once-per.ts';
import { refusalAsOf } from '../../platform/past/as-of-fields.ts';
import { NOW } from '../../platform/past/one-instant.ts';
import { readInstant } from '../../platform/past/past.ts';
import type { RouterOperation } from './prepare-operation.ts';

type Basis = NonNullable<ComponentExtensions['basis']>;
type Variables = Readonly<Record<string, unknown>>;

const BASIS = 'query Basis($asOf: DateTime) { basis(asOf: $asOf) { position time schemaRevision } }';

const detailsOf = ({ extensions }: ComponentError): Readonly<Record<string, unknown>> =>
  isObject(extensions?.['details']) ? extensions['details'] : {};

/** Compiled once for each component. */
const asking = oncePer((metadata: Component) => metadata.prepare(BASIS));

/** @throws DomainError as metadata refuses, `component_unavailable` without it */
async function basisOf(metadata: Component | undefined, asOf: string | null, caller: Caller): Promise<Basis> {
  if (metadata === undefined)
    throw new DomainError('component_unavailable', 'the time of the log is not known without metadata', {
      component: 'metadata',
      upstream_status: null,
    });
  const { data, errors } = await asking(metadata)({ asOf }, callerAsOf(caller, undefined));
  const [error] = errors ?? [];
  if (error)
    throw new DomainError(
      errorCodeOf(error.extensions?.['code']) ?? 'internal_error',
      error.message,
      detailsOf(error),
    );
  return data?.['basis'] as Basis; // the document determines its type
}

/** The text of `@asOf(time:)` with the variables; `now` where it has no time, null without the directive. */
function timeOf({
  directives = [],
  variableDefinitions = [],
}: OperationDefinitionNode): ((variables: Variables) => unknown) | null {
  const directive = directives.find(({ name }) => name.value === 'asOf');
  if (directive === undefined) return null;
  const given = directive.arguments?.find(({ name }) => name.value === 'time')?.value;
  if (given === undefined) return () => NOW;
  if (given.kind !== Kind.VARIABLE) return () => valueFromASTUntyped(given) ?? NOW;
  const { value: name } = given.name;
  const fallback = variableDefinitions.find(({ variable }) => variable.name.value === name)?.defaultValue;
  const usual: unknown = fallback === undefined ? null : valueFromASTUntyped(fallback);
  return (variables) => (Object.hasOwn(variables, name) ? variables[name] : usual) ?? NOW;
}

/** @param metadata asked for the time and the position of the log; looked up when it is needed */
export function atOneInstant(
  operation: RouterOperation,
  node: OperationDefinitionNode,
  metadata: () => Component | undefined,
): RouterOperation {
  const own = timeOf(node);
  const { kind, subscribe } = operation;
  /** The caller of the instant, and the basis if that was asked for; @throws DomainError */
  const placed = async (
    variables: Variables,
    caller: Caller,
  ): Promise<{ readonly caller: Caller; readonly basis?: Basis }> => {
    const wants = caller.wantsBasis === true && kind === 'query';
    const asked = own === null ? caller.asOf : own(variables);
    if (asked !== undefined && typeof asked !== 'string')
      throw invalid('as_of must be a point in time with an offset, for example 2026-01-31T09:30:00.123456Z');
    if (asked === undefined && !wants) return { caller: callerAsOf(caller, undefined) };
    if (kind === 'mutation') throw refusalAsOf('Mutation');
    const instant = asked === undefined || asked === NOW ? null : readInstant(asked);
    if (instant !== null && !wants) return { caller: callerAsOf(caller, instant) };
    const basis = await basisOf(metadata(), instant, caller);
    return { caller: callerAsOf(caller, basis.time), ...(wants ? { basis } : {}) };
  };
  return {
    ...operation,
    run(variables, caller): Promise<ComponentResult> {
      if (own === null && caller.asOf === undefined && caller.wantsBasis !== true)
        return operation.run(variables, caller);
      return placed(variables, caller).then(
        async ({ caller: then, basis }) => {
          const result = await operation.run(variables, then);
          return basis === undefined ? result : { ...result, extensions: { ...result.extensions, basis } };
        },
        (refusal: unknown) => refusedResult(refusal),
      );
    },
    ...(subscribe && {
      subscribe: async (variables, caller) => subscribe(variables, (await placed(variables, caller)).caller),
    }),
  };
}
