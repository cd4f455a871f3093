// `cairn produce` and `cairn productions` produce an entity, show the progress, and cancel it.
import type { Command } from 'commander';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Api, member, route, rows } from '../api.ts';
import { clientCommand, clientOf, collected, type CommonOptions, group, wholeNumber } from '../command.ts';
import { Failure, UsageFailure } from '../failure.ts';
import { facts, table } from '../output.ts';
import type { Session } from '../session.ts';

/** Parses `name=value` texts into an object. */
function pairs(
  texts: readonly string[],
  read: (value: string) => unknown = (value) => value,
): Record<string, unknown> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf('=');
      if (at < 1) throw new UsageFailure(`${text} is not field=value`);
      return [text.slice(0, at), read(text.slice(at + 1))];
    }),
  );
}

/** Parses valid JSON, else returns the text itself: `5` is a number, `chr1` a text. */
function jsonOrText(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch (fault) {
    if (fault instanceof SyntaxError) return value;
    throw fault;
  }
}

async function waitFor(api: Api, id: string): Promise<Record<string, unknown>> {
  for (;;) {
    const production = await api.call({ path: route`/api/v1/artifact/productions/${id}` });
    const status = String(member(production, 'status'));
    // `member` has read it
    if (status !== 'queued' && status !== 'running') return production as Record<string, unknown>;
    await sleep(500);
  }
}

interface ProduceOptions extends CommonOptions {
  readonly parameter?: readonly string[];
  readonly rule?: string;
  readonly plan?: boolean;
  readonly wait?: boolean;
}

export const produceCommand = (session: Session): Command =>
  clientCommand('produce', 'have an entity: what is there is reused, what is not is made', [
    'produce VariantStats sample=HG00641 targets=chrX --wait',
    'produce VariantStats sample=HG00641 targets=chrX --plan',
    'produce Alignment sample=s1 --parameter threads=4 --rule bwa@2',
  ])
    .argument('<type>', 'type of the entity')
    .argument('<field=value...>', 'what it has to be')
    .option('--parameter <name=value>', 'an input of the workflow; may be repeated', collected)
    .option('--rule <rule>', 'name or name@version: the only rule that may make it')
    .option('--plan', 'only show how it would be had, and why')
    .option('--wait', 'wait for the end; exit status 1 unless it is there')
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
        const resolution = await api.call({ path: '/api/v1/artifact/resolve', query });
        printer.answer(
          resolution,
          () =>
            `${String(member(resolution, 'decision'))}: ${String(member(member(resolution, 'plan'), 'reason'))}`,
        );
        return;
      }
      const body = {
        entity_type: type,
        criteria,
        rule: options.rule,
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
            `production ${id} is ${String(member(answer, 'status'))}; "cairn productions show ${id}" shows how it goes`,
        );
        return;
      }
      const production = await waitFor(api, id);
      if (production['status'] !== 'completed')
        throw new Failure(
          `production ${id} is ${String(production['status'])}${reasonOf(production['error'])}`,
          { production_id: id, error: production['error'] },
        );
      printer.answer(
        production,
        () => `${rowsOf(production).join(', ')} ${rowsOf(production).length === 1 ? 'is' : 'are'} made`,
      );
    });

/** Returns why a production has failed, with the last output of its tool. */
function reasonOf(error: unknown): string {
  if (error === null) return '';
  const said = member(member(error, 'details'), 'stderr');
  return `: ${String(member(error, 'message'))}${typeof said === 'string' ? `\n${said}` : ''}`;
}

const rowsOf = (production: Record<string, unknown>): readonly string[] =>
  rows(production, 'produced').map((made) => String(made['entity_id']));

const list = (session: Session): Command =>
  clientCommand('list', 'list productions, latest first', [
    'productions list',
    'productions list --status failed --limit 5',
  ])
    .option('--status <status>', 'queued, running, completed, failed or cancelled')
    .option('--type <type>', 'of entities of one type')
    .option('-n, --limit <n>', 'how many (default 100)', wholeNumber(1, 1000))
    .option('--cursor <cursor>', 'continue where a list ended')
    .action(
      async (
        options: CommonOptions & { status?: string; type?: string; limit?: number; cursor?: string },
      ) => {
        const { api, printer } = clientOf(session, options);
        const answer = await api.call({
          path: '/api/v1/artifact/productions',
          query: {
            status: options.status,
            entity_type: options.type,
            limit: options.limit,
            cursor: options.cursor,
          },
        });
        printer.answer(answer, (paint) =>
          table(
            paint,
            ['PRODUCTION', 'TYPE', 'CRITERIA', 'RULE', 'STATUS', 'REQUESTED', 'BY'],
            rows(answer, 'productions').map((p) => [
              p['production_id'],
              p['entity_type'],
              p['criteria'],
              p['rule'],
              p['status'],
              p['requested_at'],
              p['requested_by'],
            ]),
          ),
        );
      },
    );

const show = (session: Session): Command =>
  clientCommand('show', 'show one production, with its log', ['productions show 3f1c…'])
    .argument('<id>', 'id of the production')
    .action(async (id: string, options: CommonOptions) => {
      const { api, printer } = clientOf(session, options);
      const production = (await api.call({ path: route`/api/v1/artifact/productions/${id}` })) as Record<
        string,
        unknown
      >; // printed unchanged
      printer.answer(production, (paint) => facts(paint, production));
    });

const cancel = (session: Session): Command =>
  clientCommand('cancel', 'stop waiting for a production; where nobody else waits, it is stopped', [
    'productions cancel 3f1c…',
  ])
    .argument('<id>', 'id of the production')
    .action(async (id: string, options: CommonOptions) => {
      const { api, printer } = clientOf(session, options);
      const production = await api.call({
        method: 'DELETE',
        path: route`/api/v1/artifact/productions/${id}`,
      });
      printer.answer(
        production,
        () =>
          `production ${id} is ${String(member(production, 'status'))}; ${String(member(production, 'waiters'))} wait for it`,
      );
    });

export const productionsCommand = (session: Session): Command =>
  group('productions', 'list productions, show one, cancel one', [
    list(session),
    show(session),
    cancel(session),
  ]);
