// Proposes a schema for a table: fields by the evidence of their columns, with that evidence in words.
import { isObject } from '../json-object.ts';
import type { TableRow } from './table-row.ts';
import { fieldName, ownColumns } from './column-names.ts';
import { ColumnFacts } from './column-facts.ts';

export interface InferOptions {
  readonly type: string;
  readonly separator: string;
  /** Texts of cells that count as empty. */
  readonly empty: readonly string[];
}

export interface ProposedField {
  readonly name: string;
  readonly field_type: string;
  readonly required?: true;
  readonly unique?: true;
  readonly many?: true;
  readonly values?: readonly string[];
  readonly references?: string;
}

export interface Proposal {
  readonly column: string;
  /** Null for a column that becomes no field. */
  readonly field: ProposedField | null;
  readonly evidence: string;
}

export interface Inferred {
  readonly rows: number;
  /** Rows that could not be read. */
  readonly faults: number;
  /** The column whose values can be the entities' ids. */
  readonly id: string | null;
  readonly proposals: readonly Proposal[];
}

/** Finds the types of the entities that have these ids. */
export type FindReferences = (values: readonly string[]) => Promise<FoundTargets>;
export interface FoundTargets {
  readonly asked: number;
  /** Entities by type. */
  readonly types: ReadonlyMap<string, number>;
}

/** At most so many different words are an enum, each of them used this often on average. */
const MAX_WORDS = 30;
const LEAST_USES = 5;
const MAX_WORD_LENGTH = 60;
/** From this share of cells on, a separator is one. */
const MANY_SHARE = 0.1;
/** Values of a column that are looked up. */
const LOOKED_UP = 100;

/** Reads all rows. */
async function factsOf(
  rows: AsyncIterable<TableRow>,
  { separator, empty }: InferOptions,
): Promise<{ rows: number; faults: number; columns: readonly ColumnFacts[] }> {
  const columns = new Map<string, ColumnFacts>();
  let count = 0;
  let faults = 0;
  for await (const read of rows) {
    if ('fault' in read || !isObject(read.row)) {
      faults++;
      continue;
    }
    count++;
    for (const [name, cell] of Object.entries(read.row)) {
      const facts = columns.get(name) ?? new ColumnFacts(name, separator);
      columns.set(name, facts);
      const isEmpty =
        cell === null || (typeof cell === 'string' && (cell.trim() === '' || empty.includes(cell.trim())));
      if (!isEmpty) facts.add(cell);
    }
  }
  const own = ownColumns([...columns.keys()]);
  const kept = [...columns.values()].filter(({ name }) => !own.has(name) && name !== 'entity_type');
  return { rows: count, faults, columns: kept };
}

const isWordList = ({ distinct, count, longest, kind }: ColumnFacts): boolean =>
  kind === 'string' &&
  distinct !== null &&
  distinct.size <= MAX_WORDS &&
  count >= LEAST_USES * distinct.size &&
  longest <= MAX_WORD_LENGTH;

const isMany = ({ separated, combined, count, kind }: ColumnFacts): boolean =>
  kind === 'string' && separated + combined > 0 && Math.max(separated, combined) >= MANY_SHARE * count;

/** Values from all of the column, not only from its beginning. */
function sampleOf(values: readonly string[]): readonly string[] {
  const step = Math.max(1, Math.floor(values.length / LOOKED_UP));
  return values.filter((_, i) => i % step === 0).slice(0, LOOKED_UP);
}

interface Reference {
  readonly type: string | null;
  readonly evidence: string;
}

/** What a column of texts refers to: entities of this table, or of the platform. */
async function referenceOf(
  facts: ColumnFacts,
  type: string,
  ids: ColumnFacts | undefined,
  find: FindReferences | null,
): Promise<Reference | null> {
  const values = [...(facts.distinct?.keys() ?? [])];
  if (values.length === 0 || facts.hasSpace) return null;
  const own = ids?.distinct;
  if (own && facts !== ids && values.every((value) => own.has(value)))
    return {
      type,
      evidence: `all ${values.length} different values are ids in column ${JSON.stringify(ids.name)}`,
    };
  if (find === null) return null;
  const { asked, types } = await find(sampleOf(values));
  const [most, ...others] = [...types].sort(([, a], [, b]) => b - a);
  if (most === undefined || others.length > 0 || most[1] < asked / 2) return null;
  const [name, count] = most;
  return {
    type: count === asked ? name : null,
    evidence: `${count} of ${asked} values that were looked up are ids of ${name}`,
  };
}

function evidenceOf(facts: ColumnFacts, rows: number): string {
  const { count, distinct } = facts;
  const values = count === rows ? 'all rows have a value' : `${count} of ${rows} rows have a value`;
  if (count === 0) return 'no row has a value';
  const different = distinct === null ? 'very many different ones' : `${distinct.size} different`;
  return `${values}, ${different}`;
}

/** A column that has a valid id in every row; an earlier one goes first. */
const idAmong = (columns: readonly ColumnFacts[], rows: number): ColumnFacts | undefined =>
  columns.find(
    (facts) =>
      facts.isUnique &&
      facts.count === rows &&
      !facts.hasSpace &&
      facts.longest <= 200 &&
      ['string', 'int'].includes(facts.kind),
  );

/** @param find looks ids up; null: references to other types are not looked for */
export async function inferSchema(
  table: AsyncIterable<TableRow>,
  options: InferOptions,
  find: FindReferences | null,
): Promise<Inferred> {
  const { rows, faults, columns } = await factsOf(table, options);
  const id = idAmong(columns, rows);
  const taken = new Set<string>();
  const nameOf = (column: string): string => {
    const name = fieldName(column);
    let free = name;
    for (let n = 2; taken.has(free) || free === 'id'; n++) free = `${name}_${n}`;
    taken.add(free);
    return free;
  };
  const proposals: Proposal[] = [];
  for (const facts of columns) {
    const evidence = evidenceOf(facts, rows);
    if (facts === id) proposals.push({ column: facts.name, field: null, evidence: `${evidence}: the id` });
    else if (facts.count === 0) proposals.push({ column: facts.name, field: null, evidence });
    else {
      const reference = facts.kind === 'string' ? await referenceOf(facts, options.type, id, find) : null;
      const basic = {
        name: nameOf(facts.name),
        ...typeOf(facts, reference?.type ?? null),
        ...(facts.count === rows ? { required: true as const } : {}),
        ...(isUniqueField(facts, rows) ? { unique: true as const } : {}),
      };
      proposals.push({
        column: facts.name,
        field: basic,
        evidence: [
          evidence,
          ...(basic.many === true ? [`lists with ${JSON.stringify(options.separator)} between values`] : []),
          ...(reference === null ? [] : [reference.evidence]),
        ].join('; '),
      });
    }
  }
  return { rows, faults, id: id?.name ?? null, proposals };
}

/** Numbers and times that differ in every row may do so by chance. */
const isUniqueField = (facts: ColumnFacts, rows: number): boolean =>
  facts.isUnique && facts.count === rows && rows >= MAX_WORDS && facts.kind === 'string' && !isMany(facts);

function typeOf(
  facts: ColumnFacts,
  references: string | null,
): Pick<ProposedField, 'field_type' | 'many' | 'values' | 'references'> {
  if (references !== null) return { field_type: 'ref', references };
  if (isMany(facts)) return { field_type: 'string', many: true };
  if (isWordList(facts)) return { field_type: 'enum', values: [...(facts.distinct?.keys() ?? [])].sort() };
  return { field_type: facts.kind };
}
