// Writes in the types of schemas: each is a write of the entity service like any other, with its input under
// the names of the schema.
import type { GraphQLFieldResolver } from 'graphql';
import type { OperationContext } from '../../../platform/operation-context.ts';
import { assertAllowed } from '../../../platform/permissions.ts';
import { authorOf } from '../author-of.ts';
import type { AvailabilitySlice } from '../availability/availability.service.ts';
import type { EntitySlice } from '../entities/entities.service.ts';
import type { WrittenEntity } from '../entities/written-entity.ts';
import type { EntityData } from '../schema-model/entity-type.ts';
import type { TypedType } from './typed-types.ts';

export type WriteContext = OperationContext & EntitySlice & AvailabilitySlice;

/** The writes of one `typed`: one after the other, as root fields of a mutation are. */
export class TypedWrites {
  #last: Promise<unknown> = Promise.resolve();

  next<Result>(write: () => Promise<Result>): Promise<Result> {
    const written = this.#last.then(write);
    const done = (): void => undefined;
    this.#last = written.then(done, done); // whose write it is hears of a refusal
    return written;
  }
}

export type WriteRole = 'create' | 'update' | 'upsert' | 'delete';
type Fields = Readonly<Record<string, unknown>>;
interface WriteArgs {
  readonly id: string;
  readonly input: Fields;
  readonly set: Fields;
  readonly ifVersion?: number | null;
  readonly ifVersionIn?: readonly number[] | null;
  readonly reason?: string | null;
  readonly context?: string | null;
}

/** The given fields under their names in the schema. */
const dataOf = ({ fields }: TypedType, input: Fields): EntityData =>
  Object.fromEntries(
    fields.flatMap(({ name, definition }) =>
      input[name] === undefined ? [] : [[definition.name, input[name]]],
    ),
  );

function write(
  type: TypedType,
  role: WriteRole,
  args: WriteArgs,
  slices: WriteContext,
): Promise<WrittenEntity> {
  const { entities, availability, caller } = slices;
  const author = authorOf(caller, args.context ?? null);
  const ifVersion = args.ifVersionIn ?? args.ifVersion ?? null;
  switch (role) {
    case 'create':
    case 'upsert': {
      const [id, data] = [
        typeof args.input['id'] === 'string' ? args.input['id'] : null,
        dataOf(type, args.input),
      ];
      return role === 'create'
        ? entities.create(type.schema, data, id, author)
        : entities.ingest(type.schema, data, id, author);
    }
    case 'update':
      return entities.update(type.schema, args.id, dataOf(type, args.set), ifVersion, author);
    case 'delete':
      // `typed` itself asks for less
      assertAllowed(caller, 'metadata:retire');
      return availability.remove(
        { id: args.id, entityType: type.schema, ifVersion, reason: args.reason ?? null },
        author,
      );
    default:
      return role satisfies never;
  }
}

export const writeResolver =
  (type: TypedType, role: WriteRole): GraphQLFieldResolver<TypedWrites, WriteContext> =>
  (writes, args: WriteArgs, context) =>
    writes.next(async () => {
      const written = await write(type, role, args, context);
      context.extensions.entityVersion = written.version;
      return written;
    });
