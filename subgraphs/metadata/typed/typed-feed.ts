// Changes of the entities of one schema: the change feed, each event with the state that it left.
import {
  type FieldNode,
  getArgumentValues,
  GraphQLError,
  type GraphQLResolveInfo,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import { badRequest } from '../../../platform/errors.ts';
import type { OperationContext } from '../../../platform/operation-context.ts';
import type { ChangeFeedSlice, FeedItem } from '../change-feed/change-feed.service.ts';
import type { FeedEvent } from '../change-feed/feed-event.ts';
import type { EntitySlice } from '../entities/entities.service.ts';
import type { EntityRecord } from '../reading/entity-record.ts';
import type { TypedSlice } from './typed-api.ts';

export type FeedContext = OperationContext & ChangeFeedSlice & EntitySlice & TypedSlice;

/** The fields of a selection, those of fragments included. */
function fieldsIn(set: SelectionSetNode | undefined, info: GraphQLResolveInfo): FieldNode[] {
  return (set?.selections ?? []).flatMap((node) => {
    if (node.kind === Kind.FIELD) return [node];
    const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : info.fragments[node.name.value];
    return fieldsIn(fragment?.selectionSet, info);
  });
}

/** Fields of the type itself, which are there with every change. */
const BESIDE: ReadonlySet<string> = new Set(['token', '__typename']);

const ONE_FIELD =
  'a subscription of `typed` selects exactly one field of a schema: follow several schemas by several subscriptions';

/**
 * The changes that the field below `typed` asks for.
 * @throws DomainError `invalid_request` for none or several, and as the change feed
 */
export async function openTypedFeed(
  context: FeedContext,
  info: GraphQLResolveInfo,
): Promise<AsyncIterableIterator<FeedItem>> {
  const selected = info.fieldNodes
    .flatMap(({ selectionSet }) => fieldsIn(selectionSet, info))
    .filter(({ name }) => !BESIDE.has(name.value));
  const [node] = selected;
  if (node === undefined || selected.length > 1) throw badRequest(ONE_FIELD);
  const found = context.typedSchema().typed.fieldNamed('TypedSubscription', node.name.value);
  const type = info.schema.getType('TypedSubscription');
  const field = type && 'getFields' in type ? type.getFields()[node.name.value] : undefined;
  if (!found || !field || !('args' in field)) throw new GraphQLError(`no field ${node.name.value}`);
  const { types, filter, after } = getArgumentValues(field, node, info.variableValues) as {
    types?: readonly string[] | null;
    filter?: string | null;
    after?: string | null;
  }; // by the field's SDL
  return context.changeFeed.open(
    {
      types: types ?? null,
      entityTypes: [found.type.schema],
      filter: filter ?? null,
      after: after ?? null,
    },
    context.caller,
    context.caller.signal,
  );
}

/** The state that an event left, as the caller may see it. */
export const stateAfter = (
  { entityId, position }: FeedEvent,
  { entityById }: FeedContext,
): Promise<EntityRecord | null> =>
  entityId === null ? Promise.resolve(null) : entityById(entityId, position);
