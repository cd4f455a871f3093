// The workflow's part of causal chains as a noun: runs, and what fired them (docs/reference/metadata.md#why).
import { readingFor } from '../../../platform/budget/bounded-query.ts';
import {
  type CausalLink,
  type CausalLinks,
  type CausalNode,
  idsOf,
  nodeKey,
  type LinkQuestion,
} from '../../../platform/causal-links.ts';
import type { Caller } from '../../../platform/identity.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import { readLinks } from '../../../platform/read-links.ts';
import { perOperation, readSdl } from '../../../platform/subgraph-module.ts';
import type { WorkflowNoun } from '../noun.ts';
import { type CausedRun, listCausedRuns, listFired } from './causal-links.store.ts';

interface CausalLinkSlice {
  readonly causalLinks: (question: LinkQuestion) => Promise<CausalLinks>;
}

const nodeOf = ({ id, at, actor, triggerName, triggerType, adapter, project }: CausedRun): CausalNode => ({
  key: nodeKey('run', id),
  name: triggerName ?? 'submitted',
  at,
  actor,
  details: { run_id: id, trigger_name: triggerName, trigger_type: triggerType, adapter, project },
});

const causesOf = ({ id, causedBy }: CausedRun): readonly CausalLink[] =>
  causedBy === null ? [] : [{ cause: causedBy, effect: nodeKey('run', id), kind: 'FIRED' }];

/** A tick is there for whoever sees a run that it fired. */
function tickNode(key: string): CausalNode {
  const [text = ''] = idsOf([key], 'tick');
  const at = text.lastIndexOf('@');
  const [trigger, tick] = [text.slice(0, at), text.slice(at + 1)];
  return { key, name: trigger, at: tick, actor: null, details: { trigger_name: trigger, tick } };
}

async function linksOf(db: Queryable, { projects }: Caller, question: LinkQuestion): Promise<CausalLinks> {
  const { keys, direction } = question;
  const ids = idsOf(keys, 'run');
  const ticks = keys.filter((key) => key.startsWith('tick:'));
  const causing = direction === 'FORWARD' ? keys : ticks;
  const [runs, fired] = await Promise.all([
    ids.length === 0 ? [] : listCausedRuns(db, ids, question, projects),
    causing.length === 0 ? [] : listFired(db, causing, question, projects),
  ]);
  const seen = new Set(fired.map(({ cause }) => cause));
  return {
    nodes: [...runs.map(nodeOf), ...ticks.filter((key) => seen.has(key)).map(tickNode)],
    links:
      direction === 'BACKWARD'
        ? runs.flatMap(causesOf)
        : fired.map(({ cause, runId }) => ({ cause, effect: nodeKey('run', runId), kind: 'FIRED' })),
  };
}

export const causalLinks: WorkflowNoun<CausalLinkSlice> = {
  typeDefs: readSdl('subgraphs/workflow/causal-links/causal-links.graphql'),
  resolvers: {
    Query: { workflowLinks: (_, asked, { causalLinks: links }) => readLinks(asked, links) },
  },
  permissions: { 'Query.workflowLinks': 'workflow:read' },
  services: ({ database: { pool } }) => ({
    causalLinks: perOperation(
      ({ caller }) =>
        (question) =>
          linksOf(readingFor(pool, caller), caller, question),
    ),
  }),
};
