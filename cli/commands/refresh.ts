// `cairn refresh` makes stale results anew, with the stale results that they were made of.
import type { Command } from 'commander';
import { isObject } from '../../platform/json-object.ts';
import { type Json, member, rows } from '../api.ts';
import { clientCommand, clientOf } from '../command.ts';
import { Failure, UsageFailure } from '../failure.ts';
import { type ListOptions, printList, printsList } from '../list.ts';
import type { Session } from '../session.ts';

interface RefreshOptions extends ListOptions {
  readonly type?: string;
  readonly filter?: string;
  readonly plan?: boolean;
  readonly planHash?: string;
}

function stepOf({ error, plan }: Json): unknown {
  if (isObject(error)) return error['message'];
  return isObject(plan) ? plan['reason'] : '';
}

/** Says of each result that is not made anew why. @throws Failure where there is one */
function tellRefused(session: Session, { json }: RefreshOptions, steps: readonly Json[]): void {
  const refused = steps.filter(({ error }) => isObject(error));
  if (refused.length === 0) return;
  if (json !== true)
    for (const step of refused)
      session.stderr.write(`${String(step['entity_id'])}: ${String(stepOf(step))}\n`);
  throw new Failure(`${refused.length} of ${steps.length} results are not made anew`, {
    refused: refused.map(({ entity_id, error }) => ({ entity_id, error })),
  });
}

export const refreshCommand = (session: Session): Command =>
  printsList(
    clientCommand('refresh', 'make stale results anew, with all stale results that they were made of', [
      'refresh --plan',
      'refresh --type Statistics',
      'refresh stats:HG00096 stats:HG00097',
    ]),
  )
    .argument('[ids...]', 'ids of produced entities; all stale results without any')
    .option('--type <type>', 'only results of this entity type and its subtypes')
    .option('--filter <cel>', 'only results for which this CEL expression is true')
    .option('--plan', 'only show what would be made')
    .option('--plan-hash <hash>', 'make nothing unless the plan has this hash')
    .action(async (ids: readonly string[], options: RefreshOptions) => {
      const { api } = clientOf(session, options);
      const { type, filter, plan = false, planHash } = options;
      const path = '/api/v1/artifact/refresh';
      if (plan && (ids.length > 1 || planHash !== undefined))
        throw new UsageFailure('--plan takes at most one id, and no --plan-hash');
      const answer = plan
        ? await api.call({ path, query: { entity_id: ids[0], entity_type: type, filter } })
        : await api.call({
            method: 'POST',
            path,
            body: {
              ...(ids.length > 0 && { entity_ids: ids }),
              entity_type: type,
              filter,
              plan_hash: planHash,
            },
          });
      const made = plan ? answer : member(answer, 'plan');
      const steps = rows(made, 'steps');
      const items = plan ? steps : rows(answer, 'productions');
      const more = member(made, 'is_complete') === true ? '' : '; there are more: refresh again';
      printList(session, options, {
        answer,
        items,
        columns: plan
          ? { ENTITY: 'entity_id', TYPE: 'entity_type', STEP: stepOf }
          : { PRODUCTION: 'production_id', TYPE: 'entity_type', CRITERIA: 'criteria', STATUS: 'status' },
        footer: `${steps.length === 0 ? 'nothing is stale' : `plan ${String(member(made, 'plan_hash'))}`}${more}`,
      });
      if (!plan) tellRefused(session, options, steps);
    });
