// Exports: every entity of a listing as lines of JSON, in blocks of one snapshot, at the reader's pace
// (docs/reference/metadata.md#exports).
import { invalid } from '../../../platform/errors.ts';
import { ENTITY_COLUMNS } from '../../../platform/entity-columns.ts';
import { enterInTurn, FairSlots } from '../../../platform/fair-slots.ts';
import type { Identity } from '../../../platform/identity.ts';
import type { EntityService, Listing } from '../entities/entities.service.ts';
import { entityWriter } from '../entities/entities.text.ts';
import type { ListRequest, PlannedPage } from '../entities/list-request.ts';
import { checking } from '../entities/residual-page.ts';
import { RESIDUE_LIMITS, ResidueAllowance, ResidueCheck } from '../filters/check-residue.ts';
import { ExpandService } from '../expand/expand.service.ts';
import { requireSingle } from '../expand/expanded-fields.ts';
import { EntityRecord, type EntityRow } from '../reading/entity-record.ts';
import type { PageRequest } from '../reading/page-request.ts';
import type { Moment } from '../reading/timeline.ts';
import type { SchemaCatalogue } from '../schema-model/schema-catalogue.ts';
import { SlowReaders } from './slow-readers.ts';
import type { WalkedRows } from './walked-rows.ts';

export interface ExportDeps {
  readonly entities: Pick<EntityService, 'plan' | 'candidatesUpTo'>;
  /** The page in batches of one snapshot; it ends with the signal. */
  walk(page: PageRequest, signal: AbortSignal): AsyncIterable<WalkedRows>;
  readonly catalogue: () => SchemaCatalogue;
}

/** A listing without a page size of its own. */
export interface ExportRequest extends Omit<ListRequest, 'limit' | 'backwards'> {
  readonly entityType: string;
  /** Null for all. */
  readonly limit: number | null;
  /** Paths of references. */
  readonly expand: string | null;
}

export interface ExportBlock {
  readonly lines: string;
  readonly count: number;
  /** Warnings about unknown names: of the first block, which is empty then. */
  readonly warnings: readonly string[];
}

/** Each holds a connection to the database for as long as its reader takes. */
const slots = { slots: 3, perKey: 2, waiting: 8 } as const;

function lineWriter(): (row: EntityRow) => string {
  const shown = ENTITY_COLUMNS.filter(({ inRest }) => inRest);
  const write = entityWriter(
    shown.map(({ field, name }) => ({ key: name, name: field, hasArguments: false, selection: [] })),
  );
  if (write === null) throw new Error('an entity cannot be written by its own columns');
  return (row) => `${write(row)}\n`;
}
const line = lineWriter();

type Lines = (rows: readonly EntityRow[], records: WalkedRows['records']) => AsyncIterable<readonly string[]>;

async function* plainLines(rows: readonly EntityRow[]): AsyncGenerator<readonly string[], void, undefined> {
  yield await Promise.resolve(rows.map(line));
}

/** Entities that are expanded together at first, and at most. */
const TOGETHER = { first: 4, most: 400 } as const;
/** Characters of lines that are made together, as far as those before tell. */
const CHARACTERS = 2_000_000;

/** The lines with what the entities refer to, of the same moment: as many together as their size allows. */
function expandedLines(
  paths: string,
  at: Moment,
  identity: Identity,
  catalogue: () => SchemaCatalogue,
): Lines {
  const { actor, roles, projects } = identity; // an export is in blocks, and no operation that takes all at once
  let together: number = TOGETHER.first;
  return async function* (rows, records) {
    const service = new ExpandService({ catalogue, records, targets: noTargets }, 1);
    for (let from = 0; from < rows.length;) {
      const part = rows.slice(from, from + together);
      from += part.length;
      const sources = part.map((row) => new EntityRecord(row, at));
      const { expansions } = await service.expand(sources, paths, at, { actor, roles, projects });
      const lines = part.map(
        (row, i) => `${line(row).slice(0, -2)},"expanded":${JSON.stringify(expansions[i])}}\n`,
      );
      const size = lines.reduce((sum, { length }) => sum + length, 1);
      together = Math.max(
        1,
        Math.min(TOGETHER.most, together * 2, Math.floor((CHARACTERS / size) * part.length)),
      );
      yield lines;
    }
  };
}

const noTargets = (): never => {
  throw new Error('an export follows references alone');
};

/** Keeps what lies within the bounds, of rows that were found by checking each. */
function within(offset: number, limit: number): (rows: readonly EntityRow[]) => readonly EntityRow[] {
  let seen = 0;
  return (rows) => {
    const from = Math.max(0, offset - seen);
    const to = offset + limit - seen;
    seen += rows.length;
    return rows.slice(from, Math.max(0, to));
  };
}

export class ExportService {
  readonly #deps: ExportDeps;
  readonly #slots = new FairSlots(slots);
  readonly #readers = new SlowReaders();

  constructor(deps: ExportDeps) {
    this.#deps = deps;
  }

  /**
   * Begins it: what is wrong with the request is told before the first block.
   * @throws DomainError `validation_failed` as a listing; `rate_limit_exceeded` where too many of the actor's
   * exports wait
   */
  async open(
    request: ExportRequest,
    identity: Identity,
    {
      signal = new AbortController().signal,
      allowance = new ResidueAllowance(),
    }: Pick<Listing, 'signal' | 'allowance'>,
  ): Promise<AsyncIterableIterator<ExportBlock>> {
    const { limit, offset } = request;
    if (limit !== null && limit < 1) throw invalid('limit must be at least 1', { field: 'limit' });
    const planned = await this.#deps.entities.plan({ ...request, limit: 1 }, identity);
    const page = { ...planned, limit: limit ?? Number.MAX_SAFE_INTEGER - offset };
    if (request.expand !== null) requireSingle(request.entityType, request.expand, this.#deps.catalogue());
    const lines =
      request.expand === null
        ? plainLines
        : expandedLines(request.expand, page.at, identity, this.#deps.catalogue);
    const check = await this.#residueOf(page, allowance);
    const leave = await this.#readers.makingRoom(
      enterInTurn(this.#slots, identity.actor, signal, 'too many of your exports are under way'),
    );
    // a generator that is never begun never ends: until then the signal gives the slot back
    signal.addEventListener('abort', leave, { once: true });
    return this.#readers.follow(this.#blocks(page, { check, lines }, signal, leave));
  }

  /** The check of what the database does not decide, unless it would be too much. */
  async #residueOf(page: PlannedPage, allowance: ResidueAllowance): Promise<ResidueCheck | null> {
    if (page.residual === null) return null;
    const check = new ResidueCheck(page.residual, allowance);
    const candidates = await this.#deps.entities.candidatesUpTo(page, RESIDUE_LIMITS.candidates + 1);
    if (candidates !== null) check.expect(candidates);
    return check;
  }

  async *#blocks(
    page: PlannedPage,
    { check, lines }: { readonly check: ResidueCheck | null; readonly lines: Lines },
    signal: AbortSignal,
    leave: () => void,
  ): AsyncGenerator<ExportBlock, void, undefined> {
    try {
      if (page.warnings.length > 0) yield { lines: '', count: 0, warnings: page.warnings };
      let kept: EntityRow[] = [];
      const keep =
        check === null
          ? null
          : checking(
              check,
              (row) => {
                kept.push(row);
                return false;
              },
              signal,
            );
      const bounded = within(page.offset, page.limit);
      const whole = keep === null ? page : { ...page, offset: 0, limit: RESIDUE_LIMITS.candidates + 1 };
      for await (const { rows, records } of this.#deps.walk(whole, signal)) {
        kept = [];
        await keep?.(rows);
        const shown = keep === null ? rows : bounded(kept);
        if (shown.length === 0) continue;
        for await (const some of lines(shown, records))
          yield { lines: some.join(''), count: some.length, warnings: [] };
      }
    } finally {
      signal.removeEventListener('abort', leave);
      leave();
    }
  }
}

/** The slice of the resolvers' context. */
export interface ExportSlice {
  readonly exports: ExportService;
}
