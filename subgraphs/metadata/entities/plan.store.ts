// How PostgreSQL would find what a statement over entities asks for.
import type { Queryable } from '../../../platform/queryable.ts';
import type { Matches, PagePlan } from '../reading/page-request.ts';

/** PostgreSQL's plan for a statement over entities, and for what was looked up before it. */
export async function planOfStatement(
  db: Queryable,
  { conditions }: Pick<Matches, 'conditions'>,
  text: string,
  values: readonly unknown[],
): Promise<PagePlan> {
  const nodes = await nodesOf(db, text, values);
  for (const { lookup } of conditions) {
    if (lookup === undefined) continue;
    const params: unknown[] = [];
    nodes.push(...(await nodesOf(db, lookup(params), params)));
  }
  const ofEntities = (node: PlannedNode): boolean =>
    node['Relation Name'] === 'entity' || node['Relation Name'] === 'entity_history';
  return {
    indexes: [
      ...new Set(
        nodes.flatMap((node) => (node['Index Name']?.startsWith('entity') ? [node['Index Name']] : [])),
      ),
    ],
    readsTable: nodes.some((node) => node['Node Type'].includes('Seq Scan') && ofEntities(node)),
  };
}

async function nodesOf(db: Queryable, text: string, values: readonly unknown[]): Promise<PlannedNode[]> {
  const { rows } = await db.query<{ 'QUERY PLAN': readonly { Plan: PlannedNode }[] }>(
    `EXPLAIN (FORMAT JSON) ${text}`,
    [...values],
  );
  return rows[0]?.['QUERY PLAN'].flatMap(({ Plan }) => allNodes(Plan)) ?? [];
}

export interface PlannedNode {
  readonly 'Node Type': string;
  readonly 'Plan Rows': number;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly Plans?: readonly PlannedNode[];
}
const allNodes = (node: PlannedNode): PlannedNode[] => [node, ...(node.Plans ?? []).flatMap(allNodes)];
