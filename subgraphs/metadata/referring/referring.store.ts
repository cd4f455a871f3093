// SQL of what refers to many entities at once: a page for each of them, and how many there are of each.
import type { Pool } from 'pg';
import { readingFor } from '../../../platform/budget/bounded-query.ts';
import { countSql } from '../entities/count-sql.ts';
import { place } from '../entities/page-parts.ts';
import { pageSql } from '../entities/page-sql.ts';
import type { Condition, PageRequest, PageRow } from '../reading/page-request.ts';
import { withinTime } from '../within-time.ts';

/** A field of the entities that refer. */
export interface ReferringField {
  readonly name: string;
  readonly many: boolean;
}

const asText = { getTypeParser: () => (value: unknown) => value };

/** Of the entity `referred`, as an index over data answers it. */
const refers = ({ name, many }: ReferringField): Condition => ({
  where: (params) =>
    `e.data @> jsonb_build_object(${place(params, name, 'text')}, ${many ? 'jsonb_build_array(referred.id)' : 'referred.id'})`,
  uses: new Set(['containment']),
});
const referring = <Request extends Pick<PageRequest, 'conditions'>>(
  request: Request,
  field: ReferringField,
): Request => ({ ...request, conditions: [...request.conditions, refers(field)] });

interface ReferringRow extends PageRow {
  readonly referred: string;
  /** Its place in its page. */
  readonly place: string;
}

/** The page of each, in order, by the id that its entities refer to. */
export async function referringPages(
  pool: Pool,
  ids: readonly string[],
  field: ReferringField,
  request: PageRequest,
): Promise<ReadonlyMap<string, PageRow[]>> {
  const values: unknown[] = [ids];
  const { text } = pageSql(referring(request, field), values);
  const { rows } = await withinTime(
    readingFor(pool, request.identity).query<ReferringRow>({
      text: `SELECT referred.id AS referred, one.* FROM unnest($1::text[]) referred(id) CROSS JOIN LATERAL (
        SELECT page.*, row_number() OVER () AS place FROM (${text}) page) one ORDER BY one.place`,
      values,
      types: asText,
    }),
  );
  const pages = new Map<string, PageRow[]>();
  for (const row of rows) {
    const page = pages.get(row.referred);
    if (page) page.push(row);
    else pages.set(row.referred, [row]);
  }
  return pages;
}

/** How many there are on all pages of each. */
export async function referringTotals(
  pool: Pool,
  ids: readonly string[],
  field: ReferringField,
  request: PageRequest,
): Promise<ReadonlyMap<string, number>> {
  const values: unknown[] = [ids];
  const counted = countSql(referring(request, field), values);
  const { rows } = await withinTime(
    pool.query<{ referred: string; n: string }>({
      text: `SELECT referred.id AS referred, (${counted}) AS n FROM unnest($1::text[]) referred(id)`,
      values,
      types: asText,
    }),
  );
  return new Map(rows.map(({ referred, n }) => [referred, Number(n)]));
}
