// `cairn produce` gets an entity, and shows how it would be got.
import type { Command } from 'commander';
import { member, rows } from '../api.ts';
import { clientCommand, clientOf, collected, type CommonOptions, jsonOrText, pairs } from '../command.ts';
import { Failure } from '../failure.ts';
import { askGraphql } from '../graphql.ts';
import { planTree } from '../plan-tree.ts';
import { followProduction, reasonOf } from '../production-states.ts';
import type { Output, Session } from '../session.ts';

/** Progress is for people: scripts read the result alone. */
const onTerminal = (stderr: Output): Output => (stderr.isTTY === true ? stderr : { write: () => true });

interface ProduceOptions extends CommonOptions {
  readonly parameter?: readonly string[];
  readonly rule?: string;
  readonly fresh?: boolean;
  readonly plan?: boolean;
  readonly wait?: boolean;
}

/** As `GET /resolve` answers, in which every other parameter is a field. */
const FRESH_PLAN = `query ($entityType: String!, $criteria: JSON!, $rule: ID) {
  resolveArtifact(entityType: $entityType, criteria: $criteria, rule: $rule, reuse: fresh) {
    decision uri entity { id entity_type: entityType uri fields version is_available: isAvailable } rule plan plan_hash: planHash
  }
}`;

export const produceCommand = (session: Session): Command =>
  clientCommand('produce', 'get an entity: reuse it if it exists, otherwise produce it', [
    'produce VariantStats sample=HG00641 targets=chrX --wait',
    'produce VariantStats sample=HG00641 targets=chrX --plan',
    'produce Alignment sample=s1 --parameter threads=4 --rule bwa@2',
    'produce VariantStats sample=HG00641 targets=chrX --fresh --plan',
  ])
    .argument('<type>', 'entity type')
    .argument('<field=value...>', 'field values that the entity must have')
    .option('--parameter <name=value>', 'input of the workflow; may be repeated', collected)
    .option('--rule <rule>', 'name or name@version of the only rule to use')
    .option('--fresh', 'make stale results anew, with all that they require')
    .option('--plan', 'only show the plan, as a tree with the reason for each step')
    .option('--wait', 'wait for the production to end; exits with status 1 unless it is completed')
    .action(async (type: string, fields: readonly string[], options: ProduceOptions) => {
      const { api, printer } = clientOf(session, options);
      const criteria = pairs(fields, jsonOrText);
      if (options.plan === true) {
        const query = {
          entity_type: type,
          rule: options.rule,
          ...Object.fromEntries(
            Object.entries(criteria).map(([name, value]) => [
              name,
              typeof value === 'string' ? value : JSON.stringify(value),
            ]),
          ),
        };
        const resolution =
          options.fresh === true
            ? member(
                await askGraphql(api, FRESH_PLAN, { entityType: type, criteria, rule: options.rule }),
                'resolveArtifact',
              )
            : await api.call({ path: '/api/v1/artifact/resolve', query });
        printer.answer(resolution, (paint) => planTree(paint, member(resolution, 'plan')));
        return;
      }
      const body = {
        entity_type: type,
        criteria,
        rule: options.rule,
        ...(options.fresh === true ? { reuse: 'fresh' } : {}),
        parameters: pairs(options.parameter ?? [], jsonOrText),
      };
      const answer = await api.call({ method: 'POST', path: '/api/v1/artifact/produce', body });
      const id = member(answer, 'production_id');
      if (typeof id !== 'string') {
        const entity = member(answer, 'entity');
        printer.answer(
          answer,
          () =>
            `${String(member(entity, 'id'))} is reused: ${String(member(member(answer, 'plan'), 'reason'))}`,
        );
        return;
      }
      if (options.wait !== true) {
        printer.answer(
          answer,
          () =>
            `production ${id} is ${String(member(answer, 'status'))}; "cairn productions show ${id}" shows its progress`,
        );
        return;
      }
      const production = await followProduction(api, id, onTerminal(session.stderr));
      if (production['status'] !== 'completed')
        throw new Failure(
          `production ${id} is ${String(production['status'])}${reasonOf(production['error'])}`,
          { production_id: id, error: production['error'] },
        );
      printer.answer(production, () => `produced ${rowsOf(production).join(', ')}`);
    });

const rowsOf = (production: Record<string, unknown>): readonly string[] =>
  rows(production, 'produced').map((made) => String(made['entity_id']));
