// The page of a row as a table, by `Accept`.
import type { Budget } from '../platform/budget/budget.ts';
import type { ComponentExtensions } from '../platform/component.ts';
import { callerAsOf } from '../platform/caller-with.ts';
import type { Caller } from '../platform/identity.ts';
import type { RequestContext } from '../platform/request-context.ts';
import { setWarningsHeader } from '../platform/warnings.ts';
import type { Prepare } from './answering.ts';
import type { Field } from '../platform/tables/cell-values.ts';
import { domainErrorOf } from './failing.ts';
import {
  EXPANDED_FIELDS_DOCUMENT,
  type ExpandedField,
  FIELDS_DOCUMENT,
  type RowTable,
  type TableField,
  type TableInput,
} from './row-table.ts';
import { inBlocks } from '../platform/table-formats/in-blocks.ts';
import type { TableColumn, TableFormat } from '../platform/table-formats/table.ts';

interface Columns {
  /** Null for a type that does not exist; the warnings then name the one that was probably meant. */
  readonly columns: readonly TableColumn[] | null;
  readonly extensions: ComponentExtensions;
}

interface TableSchema {
  readonly allFields: readonly TableField[];
  readonly expandedFields?: readonly ExpandedField[];
}

/** What one of the documents of fields answers. @throws DomainError */
async function schemaOf(
  document: string,
  variables: Readonly<Record<string, string>>,
  prepare: Prepare,
  caller: Caller,
): Promise<{ readonly schema: TableSchema | null; readonly extensions: ComponentExtensions }> {
  const {
    data,
    texts,
    errors,
    extensions = {},
  } = await prepare(document).run(variables, callerAsOf(caller, undefined)); // what types are is of the present
  const error = errors?.[0];
  if (error) throw domainErrorOf(error);
  const text = texts?.['schema'];
  // as the documents select it
  const schema = (text === undefined ? data?.['schema'] : JSON.parse(text)) as TableSchema | null;
  return { schema, extensions };
}

/** The columns of the table. */
export async function columnsOf(
  table: RowTable,
  input: TableInput,
  prepare: Prepare,
  caller: Caller,
): Promise<Columns> {
  const entityType = table.entityType(input);
  const paths = table.expand?.(input) ?? null;
  if (entityType === null)
    return { columns: table.columns(null, paths === null ? null : []), extensions: {} };
  const asked = paths === null ? { entityType } : { entityType, paths };
  const document = paths === null ? FIELDS_DOCUMENT : EXPANDED_FIELDS_DOCUMENT;
  const { schema, extensions } = await schemaOf(document, asked, prepare, caller);
  return {
    columns: schema === null ? null : table.columns(schema.allFields, schema.expandedFields ?? null),
    extensions,
  };
}

/** The fields of a type, as loads of tables need them; null where there is no such type. @throws DomainError */
export async function fieldsOfType(
  entityType: string,
  prepare: Prepare,
  caller: Caller,
): Promise<readonly Field[] | null> {
  const { schema } = await schemaOf(FIELDS_DOCUMENT, { entityType }, prepare, caller);
  return schema?.allFields.map(({ name, type, many }) => ({ name, type, isMany: many })) ?? null;
}

/** `Link` to the same request for the next page (RFC 8288). */
function nextLink({ req, search }: RequestContext, cursor: string): string {
  const next = new URLSearchParams(search);
  next.delete('offset');
  next.set('cursor', cursor);
  return `<${(req.url ?? '').split('?', 1)[0]}?${next.toString()}>; rel="next"`;
}

/** Sends a page as a table. */
export async function sendPage(
  ctx: RequestContext,
  format: TableFormat,
  columns: readonly TableColumn[],
  { rows, nextCursor }: ReturnType<RowTable['rows']>,
  { extensions, budget }: { readonly extensions: ComponentExtensions; readonly budget: Pick<Budget, 'turn'> },
): Promise<void> {
  const { res } = ctx;
  const cursor = nextCursor === undefined ? extensions.nextCursor : nextCursor;
  if (typeof cursor === 'string') res.setHeader('link', nextLink(ctx, cursor));
  if (extensions.warnings !== undefined) setWarningsHeader(res, extensions.warnings);
  const pieces: Buffer[] = [];
  for await (const piece of format.encode(columns, inBlocks(rows, budget))) pieces.push(Buffer.from(piece));
  const body = Buffer.concat(pieces);
  res.writeHead(200, { 'content-type': format.mediaType, 'content-length': body.length }).end(body);
}
