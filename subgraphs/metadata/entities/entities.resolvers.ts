// Resolvers of entities.
import { type GraphQLResolveInfo, Kind } from 'graphql';
import type { ComponentExtensions } from '../../../platform/component.ts';
import type { Caller } from '../../../platform/identity.ts';
import type { OperationContext } from '../../../platform/operation-context.ts';
import { type RowWriter, writeRows } from '../../../platform/row-writer.ts';
import type { TextField } from '../../../platform/text-fields.ts';
import type { Moment, TimeSlice } from '../reading/timeline.ts';
import { authorOf } from '../author-of.ts';
import type { QueryEntitiesArgs, QueryEntityArgs, Resolvers } from '../generated/resolvers.ts';
import type { EntityPage, EntitySlice, EntityTextPage } from './entities.service.ts';
import { entityWriter } from './entities.text.ts';
import { entityJson } from './entity-json.ts';
import { EntityRecord, type EntityRow } from '../reading/entity-record.ts';
import type { ListRequest } from './list-request.ts';

export type EntityContext = OperationContext & EntitySlice & TimeSlice;

const record = (row: EntityRow | null, at: Moment = null): EntityRecord | null =>
  row === null ? null : new EntityRecord(row, at);

/** An entity as it was at a time, or is where none is given; null if there is none that the caller may see. */
export async function entityAsOf(
  id: string,
  asOf: string | null | undefined,
  { entities, timeline, caller }: EntityContext,
): Promise<EntityRecord | null> {
  const at = await timeline.moment(asOf);
  return record(await entities.get(id, caller, at), at);
}

/**
 * Whether a field is selected directly; fragments are not searched, so a field in one is read in a second
 * query.
 */
export const selects = (nodes: GraphQLResolveInfo['fieldNodes'], name: string): boolean =>
  nodes.some(
    ({ selectionSet }) =>
      selectionSet?.selections.some(
        (selection) => selection.kind === Kind.FIELD && selection.name.value === name,
      ) === true,
  );

/** Whether the fields select that field, and no other: then what is not asked need not be read. */
export const selectsOnly = (nodes: GraphQLResolveInfo['fieldNodes'], name: string): boolean =>
  nodes.every(
    ({ selectionSet }) =>
      selectionSet?.selections.every(
        (selection) =>
          selection.kind === Kind.FIELD &&
          (selection.name.value === name || selection.name.value === '__typename'),
      ) === true,
  );

/** The same page, with its warnings reported beside the data, each once. */
export function warned<Page extends { readonly warnings: readonly string[] }>(
  page: Page,
  extensions: ComponentExtensions,
): Page {
  if (page.warnings.length > 0)
    extensions.warnings = [...new Set([...(extensions.warnings ?? []), ...page.warnings])];
  return page;
}

const listRequest = (args: QueryEntitiesArgs, at: Moment): ListRequest => ({
  entityType: args.entityType ?? null,
  filter: args.filter ?? null,
  q: args.q ?? null,
  fields: args.fields ?? [],
  limit: args.limit ?? 100,
  offset: args.offset ?? 0,
  cursor: args.cursor ?? null,
  orderBy: args.orderBy ?? null,
  includeUnavailable: args.includeUnavailable ?? false,
  at,
});

export const entityResolvers = {
  Query: {
    entity: async (_, { id, asOf }, context) => {
      const found = await entityAsOf(id, asOf, context);
      if (found) context.extensions.entityVersion = found.version;
      return found;
    },
    entities: async (_, args, { entities, timeline, caller, listing, extensions }, { fieldNodes }) =>
      warned(
        await entities.list(listRequest(args, await timeline.moment(args.asOf)), caller, {
          ...listing,
          counts: selects(fieldNodes, 'total'),
          count: args.count ?? 'EXACT',
          rows: !selectsOnly(fieldNodes, 'total'),
        }),
        extensions,
      ),
    entityAt: (_, { id, at }, context) => entityAsOf(id, at, context),
  },
  Mutation: {
    createEntity: async (
      _,
      { entityType, data, id, context, bypassValidation },
      { entities, caller, extensions },
    ) => {
      const written = await entities.create(
        entityType,
        data,
        id ?? null,
        authorOf(caller, context ?? null, bypassValidation),
      );
      extensions.entityVersion = written.version;
      return written;
    },
    ingestEntity: async (
      _,
      { entityType, data, id, ifVersion, ifVersionIn, ifExists, context, bypassValidation },
      { entities, caller, extensions },
    ) => {
      const written = await entities.ingest(
        entityType,
        data,
        id ?? null,
        authorOf(caller, context ?? null, bypassValidation),
        { ifVersion: ifVersionIn ?? ifVersion ?? null, ifExists: ifExists ?? null },
      );
      extensions.entityVersion = written.version;
      return written;
    },
    updateEntity: async (
      _,
      { entityType, id, data, ifVersion, ifVersionIn, context, bypassValidation },
      { entities, caller, extensions },
    ) => {
      const written = await entities.update(
        entityType,
        id,
        data,
        ifVersionIn ?? ifVersion ?? null,
        authorOf(caller, context ?? null, bypassValidation),
      );
      extensions.entityVersion = written.version;
      return written;
    },
  },
  Entity: {
    stateAt: async ({ id }, { at: asOf }, { entities, timeline, caller }) => {
      const at = await timeline.moment(asOf);
      return record(await entities.get(id, caller, at), at);
    },
    __resolveReference: async ({ id }, context) =>
      context.caller.asOf === undefined
        ? record(await context.entities.get(id, context.caller))
        : entityAsOf(id, null, context),
  },
  EntityPage: {
    items: (page) => page.rows.map((row) => new EntityRecord(row, page.at)),
    total: (page) => page.total(),
  },
} satisfies Resolvers<EntityContext>;

/** `entity { … }` of an entity's own columns. */
const entityText: TextField<EntityContext> = (selection) => {
  const write = entityWriter(selection);
  return (
    write &&
    ((args, { entities, timeline, caller, extensions }) => {
      // The values were coerced by the SDL.
      const { id, asOf } = args as QueryEntityArgs & Record<string, unknown>;
      const found =
        (asOf === undefined || asOf === null) && caller.asOf === undefined
          ? entities.get(id, caller)
          : timeline.moment(asOf).then((at) => entities.get(id, caller, at));
      return found.then((row) => {
        if (row === null) return 'null';
        extensions.entityVersion = Number(row.version);
        return write(row, caller.budget);
      });
    })
  );
};

type PagePart = (page: EntityTextPage) => string;
const PAGE_PARTS: Readonly<Record<string, PagePart>> = {
  items: (page) => `[${page.items}]`,
  total: (page) => String(page.total),
  limit: (page) => String(page.limit),
  offset: (page) => String(page.offset),
  nextCursor: (page) => JSON.stringify(page.nextCursor),
};

/**
 * `entities { items { … } total … }` of the items' own columns: serialised by the database, or row by row if
 * a filter requires it.
 */
const entitiesText: TextField<EntityContext> = (selection) => {
  const items = selection.filter(({ name }) => name === 'items');
  const json = items.length === 1 ? entityJson(items[0]?.selection ?? []) : null;
  const write = entityWriter(items[0]?.selection ?? []);
  const parts = selection.map(({ key, name }, i) => ({
    prefix: `${i === 0 ? '{' : ','}${JSON.stringify(key)}:`,
    write: PAGE_PARTS[name],
  }));
  if (
    json === null ||
    write === null ||
    !parts.every((part): part is typeof part & { write: PagePart } => part.write !== undefined)
  )
    return null;
  const counts = selection.some(({ name }) => name === 'total');

  return async (args, { entities, timeline, caller, listing, extensions }) => {
    const asked = args as QueryEntitiesArgs; // The values were coerced by the SDL.
    const request = listRequest(
      asked,
      (asked.asOf === undefined || asked.asOf === null) && caller.asOf === undefined
        ? null
        : await timeline.moment(asked.asOf),
    );
    const count = counts ? (asked.count ?? 'EXACT') : 'NONE';
    const page =
      (await entities.listText(request, json, count, caller)) ??
      (await writtenHere(
        await entities.list(request, caller, { ...listing, counts, count }),
        write,
        counts,
        caller,
      ));
    warned(page, extensions);
    let text = '';
    for (const part of parts) text += part.prefix + part.write(page);
    return `${text}}`;
  };
};

const writtenHere = async (
  page: EntityPage,
  write: RowWriter<EntityRow>,
  counts: boolean,
  { budget }: Caller,
): Promise<EntityTextPage> => ({
  items: writeRows(page.rows, write, budget),
  total: counts ? await page.total() : null,
  limit: page.limit,
  offset: page.offset,
  warnings: page.warnings,
  nextCursor: page.nextCursor,
});

export const entityTexts = { 'Query.entity': entityText, 'Query.entities': entitiesText };
