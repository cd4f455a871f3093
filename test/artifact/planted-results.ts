// Results as productions would have made them, planned and bound by the product's own code, without running a workflow.
import { randomUUID } from 'node:crypto';
import { versionKey } from '../../platform/causal-links.ts';
import { findWorkflows } from '../../subgraphs/artifact/cwl-source/kept-workflow.store.ts';
import { bindInputs } from '../../subgraphs/artifact/planning/bind-inputs.ts';
import type { StoredEntity } from '../../subgraphs/artifact/planning/entities.ts';
import type { PlanNode } from '../../subgraphs/artifact/planning/plan.ts';
import type { TestServer } from '../testkit/server.ts';

export interface Planted {
  readonly entityType: string;
  /** Where a subtype of what was asked for was made. */
  readonly madeType?: string;
  readonly id: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly criteria: Readonly<Record<string, string>>;
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly inputFiles?: readonly { readonly location: string; readonly hash: string }[];
}

async function ask<Value>(server: TestServer, query: string, variables: object): Promise<Value> {
  const { body } = await server.graphql(query, variables as Record<string, unknown>);
  if (body.errors !== undefined) throw new Error(JSON.stringify(body.errors));
  return body.data as Value;
}

const RESOLVE = `query ($entityType: String!, $criteria: JSON!, $parameters: JSON) {
  resolveArtifact(entityType: $entityType, criteria: $criteria, parameters: $parameters, reuse: fresh) { plan } }`;
const ENTITY = 'query ($id: ID!) { entity(id: $id) { id entityType data version isAvailable } }';

/** @returns the id of its production */
export async function plant(server: TestServer, made: Planted): Promise<string> {
  const { entityType, criteria, parameters = {}, data, id: entityId, inputFiles = [] } = made;
  const { madeType = entityType } = made;
  const { pool } = server.database;
  const { resolveArtifact } = await ask<{ resolveArtifact: { plan: PlanNode } }>(server, RESOLVE, {
    entityType,
    criteria,
    parameters,
  });
  const { stale_reasons: _, ...plan } = resolveArtifact.plan;
  if (plan.decision === 'reuse') throw new Error(`there is a fresh result: ${plan.entity_id}`);
  const required = await Promise.all(
    plan.requires.map(async ({ entity_id: id, reason }) => {
      if (id === null) throw new Error(reason);
      return (await ask<{ entity: StoredEntity }>(server, ENTITY, { id })).entity;
    }),
  );
  const workflow = (await findWorkflows(pool, [plan.workflow_hash ?? ''])).get(plan.workflow_hash ?? '');
  if (workflow === undefined) throw new Error('the workflow is not known');
  const texts = new Map(Object.entries({ ...plan.criteria, ...plan.bindings }));
  const { inputs, missing } = bindInputs(workflow.inputs, { parameters, texts, required });
  if (missing.length > 0) throw new Error(`no value for ${missing.join(', ')}`);
  const { status, text } = await server.rest('POST', '/api/v1/metadata/ingest', {
    body: { entity_type: madeType, id: entityId, data },
  });
  if (status !== 200) throw new Error(text);
  const production = randomUUID();
  await pool.query(
    `INSERT INTO artifact.production (id, entity_type, criteria, rule, status, request_key, plan, entity_ids, requested_by, parameters, inputs, produced, runner, input_files)
     VALUES ($1, $2, $3, $4, 'running', $1, $5, $6, 'user:admin', $7, $8, $9, 'planted', $10)`,
    [
      production,
      entityType,
      JSON.stringify(criteria),
      plan.rule,
      JSON.stringify(plan),
      [entityId],
      JSON.stringify(parameters),
      JSON.stringify(inputs),
      JSON.stringify([{ entity_type: madeType, entity_id: entityId }]),
      JSON.stringify(inputFiles),
    ],
  );
  await pool.query(
    `INSERT INTO artifact.production_cause (production_id, cause, role) SELECT $1, unnest($2::text[]), 'input'`,
    [production, required.map(versionKey)],
  );
  await pool.query(
    `UPDATE artifact.production SET status = 'completed', finished_at = clock_timestamp() WHERE id = $1`,
    [production],
  );
  return production;
}
