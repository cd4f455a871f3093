// `cairn schemas infer` proposes a schema from a table, to be edited and registered.
import type { Command } from 'commander';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { isObject } from '../../platform/json-object.ts';
import { type Api, rows } from '../api.ts';
import { choice, clientCommand, clientOf, collected, type CommonOptions } from '../command.ts';
import { UsageFailure } from '../failure.ts';
import { askGraphql } from '../graphql.ts';
import { FORMAT_NAMES, openTable, type TableFlags } from '../ingest/open-table.ts';
import type { FoundTargets, Inferred, InferOptions } from '../../platform/tables/infer-schema.ts';
import type { Session } from '../session.ts';

interface Options extends CommonOptions, TableFlags {
  readonly type?: string;
  readonly separator: string;
  readonly empty?: readonly string[];
  readonly references: boolean;
  readonly output?: string;
}

/** `20130606_sample_info.tsv` as `SampleInfo`. */
function typeOf(file: string): string {
  const words = path
    .basename(file)
    .replace(/\.[^.]*$/, '')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => /[A-Za-z]/.test(word));
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return /^[A-Za-z]/.test(name) ? name.slice(0, 128) : 'Record';
}

const LOOK_UP = `query EntitiesWithIds($filter: String!, $limit: Int!) {
  entities(filter: $filter, limit: $limit, count: NONE) { items { id entityType } } }`;

/** The types of the entities that have these ids. @throws as `graphql` */
async function typesOf(api: Api, ids: readonly string[]): Promise<FoundTargets> {
  const data = await askGraphql(api, LOOK_UP, { filter: `id in ${JSON.stringify(ids)}`, limit: ids.length });
  const types = new Map<string, number>();
  for (const { entityType } of rows(isObject(data) ? data['entities'] : null, 'items'))
    types.set(String(entityType), (types.get(String(entityType)) ?? 0) + 1);
  return { asked: ids.length, types };
}

function answerOf(inferred: Inferred, { type }: InferOptions): unknown {
  const { id, proposals } = inferred;
  return {
    rows: inferred.rows,
    faults: inferred.faults,
    id_column: id,
    schema: { name: type, version: '1.0.0', fields: proposals.flatMap(({ field }) => field ?? []) },
    columns: proposals.map(({ column, field, evidence }) => ({
      column,
      field: field?.name ?? null,
      evidence,
    })),
  };
}

async function infer(session: Session, file: string, flags: Options): Promise<void> {
  const { api, printer } = clientOf(session, flags);
  const options: InferOptions = {
    type: flags.type ?? typeOf(file),
    separator: flags.separator,
    empty: flags.empty ?? [],
  };
  const [{ inferSchema }, { proposalText }] = await Promise.all([
    import('../../platform/tables/infer-schema.ts'),
    import('../schemas/proposal-text.ts'),
  ]);
  const table = await openTable(session, file, flags);
  try {
    const find = flags.references ? (ids: readonly string[]) => typesOf(api, ids) : null;
    const inferred = await inferSchema(table.rows, options, find);
    if (inferred.rows === 0) throw new UsageFailure(`${file} has no rows to infer a schema from`);
    const text = proposalText(file, inferred, options);
    if (flags.output === undefined) printer.answer(answerOf(inferred, options), () => text.trimEnd());
    else {
      writeFileSync(path.resolve(session.cwd, flags.output), text);
      printer.answer(answerOf(inferred, options), () => `${flags.output} has the schema`);
    }
  } finally {
    table.close();
  }
}

export const inferSchemaCommand = (session: Session): Command =>
  clientCommand('infer', 'propose a schema for a table, with the evidence, to edit and register', [
    'schemas infer samples.csv > sample.yaml',
    'schemas infer sheet.xlsx --type Sample --sheet Donors -o sample.yaml',
    'schemas infer samples.tsv --no-references     (without a server)',
  ])
    .argument('<file>', 'CSV, TSV, XLSX, JSON (an array), NDJSON or Parquet; - is standard input')
    .option('-t, --type <type>', 'name of the type (default: from the file name)')
    .option('-o, --output <file>', 'write the schema to a file')
    .option('--separator <text>', 'separates several values in one cell', ';')
    .option('--empty <text>', 'a cell with this text is empty, such as NA; repeat for several', collected)
    .option('--no-references', 'do not ask the server which values are ids of its entities')
    .addOption(
      choice('--format <format>', 'input format (default: from the file name extension)', FORMAT_NAMES),
    )
    .option('--sheet <name|number>', 'sheet of a workbook (default: the first)')
    .option('--delimiter <character>', 'between the columns of CSV or TSV, such as ";" or tab')
    .option('--encoding <name>', 'of text, such as windows-1252 (default: UTF-8, or UTF-16 with its mark)')
    .option('--records <path>', 'dotted path of the list in a JSON document')
    .action((file: string, options: Options) => infer(session, file, options));
