// Many entities in one request (docs/reference/metadata.md#bulk-ingest-over-rest).
import { flag, text, texts } from '../parameters.ts';
import { route, type RestRoute } from '../route.ts';
import { contextOf } from './metadata-request.ts';

const ROW = {
  type: 'object',
  required: ['data'],
  properties: {
    entity_type: { type: 'string', description: 'By default that of the query.' },
    id: { type: ['string', 'null'] },
    data: { type: 'object' },
    if_version: { type: ['integer', 'null'], description: 'Ingest the entity only if it has this version.' },
  },
} as const;

const COUNT = { type: 'integer' } as const;

export const bulkRows: readonly RestRoute[] = [
  route({
    method: 'POST',
    path: '/ingest/bulk',
    summary:
      'Ingests many entities, as a JSON array or as lines (`application/x-ndjson`) of any number, or as a table (CSV, TSV, XLSX, Parquet), read as they come. Each row succeeds or fails alone; the answer tells what became of each.',
    operation: `mutation IngestBulk($entities: [IngestedEntity!]!, $context: ProvenanceContext, $allOrNothing: Boolean, $dryRun: Boolean) {
      ingestEntities(entities: $entities, context: $context, allOrNothing: $allOrNothing, dryRun: $dryRun) {
        created updated unchanged changes results { id version } errors { index code message rule_id: ruleId details } } }`,
    pick: 'ingestEntities',
    query: {
      entity_type: text('The type of rows that name none.'),
      id: text(
        'Of a table: the column, or CEL expression over `row`, that is the id; by default the column id.',
      ),
      map: texts(
        'Of a table: `field=column` or `field=CEL`, for a column that has not the name of its field; repeated for several.',
      ),
      skip: texts('Of a table: a column that is left out; repeated for several.'),
      skip_unknown: flag(false, 'Of a table: leave out columns that are no fields.'),
      separator: text('Of a table: what separates several values of one cell; by default a semicolon.'),
      empty: texts('Of a table: a cell with this text is empty, such as NA; repeated for several.'),
      delimiter: text('Of CSV and TSV: what is between columns, one character or `tab`.'),
      encoding: text(
        'Of CSV and TSV: the encoding of the text, such as windows-1252; by default UTF-8, or UTF-16 with its mark.',
      ),
      sheet: text('Of a workbook: the name or the number of the sheet; by default the first.'),
      dry_run: flag(
        false,
        'Write nothing, and answer what would become of each row at this moment; at most 20,000 rows and 8 MiB.',
      ),
      all_or_nothing: flag(
        false,
        'Write all rows in one transaction, or none if one of them is refused; at most 20,000 rows and 8 MiB.',
      ),
    },
    isBulk: true,
    body: 'required',
    bodySchema: {
      type: 'array',
      examples: [[{ entity_type: 'Sample', id: 'sample:HG00096', data: { sex: 'male' } }]],
      items: ROW,
    },
    variables: (input) => ({
      entityType: input.query.entity_type,
      context: contextOf(input),
      allOrNothing: input.query.all_or_nothing,
      dryRun: input.query.dry_run,
      table: {
        type: input.query.entity_type,
        id: input.query.id ?? undefined,
        map: input.query.map,
        skip: input.query.skip,
        skipsUnknown: input.query.skip_unknown,
        separator: input.query.separator ?? ';',
        empty: input.query.empty,
        delimiter: input.query.delimiter,
        encoding: input.query.encoding,
        sheet: input.query.sheet,
      },
    }),
    otherStatuses: [207],
    responseSchema: {
      type: 'object',
      required: ['outcomes', 'created', 'updated', 'unchanged', 'failed'],
      properties: {
        outcomes: {
          type: 'array',
          items: {
            type: 'object',
            required: ['row'],
            properties: {
              row: { type: 'integer', description: 'The position of the row, from 0.' },
              line: {
                type: 'integer',
                description: 'The line that it begins on, from 1; of a sheet or a Parquet file the row.',
              },
              column: { type: 'string', description: 'Of a refused row of a table: the columns at fault.' },
              id: { type: ['string', 'null'] },
              version: COUNT,
              change: { enum: ['created', 'updated', 'unchanged'] },
              code: {
                type: 'integer',
                description: 'Of a refused row: the status that it would have had alone.',
              },
              message: { type: 'string' },
              rule_id: { type: ['string', 'null'] },
              details: { type: 'object' },
            },
          },
        },
        created: COUNT,
        updated: COUNT,
        unchanged: COUNT,
        failed: COUNT,
      },
    },
  }),
];
