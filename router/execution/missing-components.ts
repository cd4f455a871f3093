// Error messages for a document that is invalid only because a component is missing.
import { type DocumentNode, Kind } from 'graphql';
import { DomainError } from '../../platform/errors.ts';
import { InvalidDocument } from './invalid-document.ts';
import type { Pieces } from './pieces.ts';
import { rootFields } from './root-fields.ts';
import type { Version } from './supergraph-version.ts';

/** What `make` makes; where it finds a document wrong for want of a component, that is what it says. */
export function* orUnavailable<Made>(
  ground: Version,
  document: () => DocumentNode,
  operationName: string | undefined,
  make: () => Pieces<Made>,
): Pieces<Made> {
  try {
    return yield* make();
  } catch (fault) {
    throw fault instanceof InvalidDocument && ground.missing.length > 0
      ? (unavailable(ground, document(), operationName) ?? fault)
      : fault;
  }
}

/**
 * The document uses a root field that the platform has, but not the current schema, because its component is
 * missing.
 */
function unavailable(
  ground: Version,
  document: DocumentNode,
  operationName: string | undefined,
): DomainError | undefined {
  const absent = document.definitions.some(
    (d) =>
      d.kind === Kind.OPERATION_DEFINITION &&
      (operationName ?? d.name?.value) === d.name?.value &&
      rootFields(document, d).some(
        ({ coordinate, node }) =>
          Object.hasOwn(ground.permissions, coordinate) &&
          ground.state.schema.getRootType(d.operation)?.getFields()[node.name.value] === undefined,
      ),
  );
  if (!absent) return undefined;
  const component = ground.missing.join(', ');
  return new DomainError('component_unavailable', `the component ${component} cannot be reached`, {
    component,
    upstream_status: null,
  });
}
