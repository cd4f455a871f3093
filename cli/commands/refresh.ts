// `cairn refresh` makes stale results anew, with the stale results that they were made of.
import type { Command } from 'commander';
import { type Json, member, rows } from '../api.ts';
import { clientCommand, clientOf } from '../command.ts';
import { UsageFailure } from '../failure.ts';
import { type ListOptions, printList, printsList } from '../list.ts';
import type { Session } from '../session.ts';

interface RefreshOptions extends ListOptions {
  readonly type?: string;
  readonly filter?: string;
  readonly plan?: boolean;
  readonly planHash?: string;
}

const stepOf = (step: Json): unknown =>
  member(step['error'], 'message') ?? member(step['plan'], 'reason') ?? '';

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
      const items = plan ? rows(made, 'steps') : rows(answer, 'productions');
      const more = member(made, 'is_complete') === true ? '' : '; there are more: refresh again';
      printList(session, options, {
        answer,
        items,
        columns: plan
          ? { ENTITY: 'entity_id', TYPE: 'entity_type', STEP: stepOf }
          : { PRODUCTION: 'production_id', TYPE: 'entity_type', CRITERIA: 'criteria', STATUS: 'status' },
        footer: `${items.length === 0 ? 'nothing is stale' : `plan ${String(member(made, 'plan_hash'))}`}${more}`,
      });
    });
