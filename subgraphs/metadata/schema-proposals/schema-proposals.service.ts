// Proposes a schema for a table that somebody wants to load.
import { invalid } from '../../../platform/errors.ts';
import type { Identity } from '../../../platform/identity.ts';
import { type FoundTargets, inferSchema, type InferOptions } from '../../../platform/tables/infer-schema.ts';
import type { TableRow } from '../../../platform/tables/table-row.ts';
import { Turn } from '../../../platform/turns.ts';

export interface SchemaProposalDeps {
  readonly typesBehind: (names: readonly string[], identity: Identity) => Promise<readonly (string | null)[]>;
}

/** Enough to tell what the columns have in common. */
const MAX_ROWS = 5000;

export interface ColumnProposal {
  readonly column: string;
  readonly field: unknown;
  readonly evidence: string;
}
export interface SchemaProposal {
  readonly definition: unknown;
  readonly idColumn: string | null;
  readonly columns: readonly ColumnProposal[];
}

/** The rows one after another, in slices: a thousand columns take long. */
async function* read(rows: readonly unknown[]): AsyncGenerator<TableRow> {
  const turn = new Turn();
  for (const [i, row] of rows.entries()) {
    if (turn.isOver) await turn.next();
    yield { line: i + 1, row };
  }
}

export class SchemaProposalService {
  readonly #deps: SchemaProposalDeps;
  constructor(deps: SchemaProposalDeps) {
    this.#deps = deps;
  }

  /** @throws DomainError `validation_failed` for too many rows, or none */
  async propose(
    rows: readonly unknown[],
    options: InferOptions,
    identity: Identity,
  ): Promise<SchemaProposal> {
    if (rows.length > MAX_ROWS) throw invalid(`at most ${MAX_ROWS} rows can be looked at`, { field: 'rows' });
    const inferred = await inferSchema(read(rows), options, (ids) => this.#typesOf(ids, identity));
    if (inferred.rows === 0)
      throw invalid('there are no rows: each is an object of cells by the names of columns', {
        field: 'rows',
      });
    const { id, proposals } = inferred;
    return {
      definition: {
        name: options.type,
        version: '1.0.0',
        fields: proposals.flatMap(({ field }) => field ?? []),
      },
      idColumn: id,
      columns: proposals,
    };
  }

  async #typesOf(ids: readonly string[], identity: Identity): Promise<FoundTargets> {
    const types = new Map<string, number>();
    for (const type of await this.#deps.typesBehind(ids, identity))
      if (type !== null) types.set(type, (types.get(type) ?? 0) + 1);
    return { asked: ids.length, types };
  }
}

/** The slice of the resolvers' context. */
export interface SchemaProposalSlice {
  readonly schemaProposals: SchemaProposalService;
}
