// `cairn update`, `delete` and `relate` change one entity.
import type { Command } from 'commander';
import { member, route } from '../api.ts';
import {
  clientCommand,
  clientOf,
  type CommonOptions,
  jsonOrText,
  pairs,
  readInput,
  wholeNumber,
} from '../command.ts';
import { UsageFailure } from '../failure.ts';
import type { Session } from '../session.ts';

interface UpdateOptions extends CommonOptions {
  readonly data?: string;
  readonly ifVersion?: number;
}

async function objectIn(session: Session, file: string): Promise<Record<string, unknown>> {
  const value = jsonOrText(await readInput(session, file));
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>; // looked at above
  throw new UsageFailure(`${file} must hold a JSON object of fields`);
}

export const updateCommand = (session: Session): Command =>
  clientCommand('update', 'change some fields of an entity; the others stay as they are', [
    'update sample:HG00096 sex=female depth=31.5',
    'update sample:HG00096 note=null --if-version 3',
    'update sample:HG00096 --data changes.json',
  ])
    .argument('<id>', 'id of the entity')
    .argument('[field=value...]', 'values as JSON, or as text where they are not JSON; null clears a field')
    .option('--data <file>', 'JSON object of fields; - for standard input')
    .option('--if-version <n>', 'only if the entity still has this version', wholeNumber(1, 2 ** 31 - 1))
    .action(async (id: string, fields: readonly string[], options: UpdateOptions) => {
      const { api, printer } = clientOf(session, options);
      if ((options.data === undefined) === (fields.length === 0))
        throw new UsageFailure('give the fields to change: as field=value, or with --data');
      const data =
        options.data === undefined ? pairs(fields, jsonOrText) : await objectIn(session, options.data);
      const before = member(await api.call({ path: route`/api/v1/metadata/entities/${id}` }), 'data');
      const type = String(member(before, 'entity_type'));
      const answer = await api.call({
        method: 'PUT',
        path: route`/api/v1/metadata/entities/${type}/${id}`,
        body: { data },
        headers: options.ifVersion === undefined ? {} : { 'if-match': `"${options.ifVersion}"` },
      });
      const entity = member(answer, 'data');
      const [was, is] = [member(before, 'version'), member(entity, 'version')];
      printer.answer(entity, () =>
        was === is ? `${id} is unchanged` : `${id} has version ${String(is)} now`,
      );
    });

export const deleteCommand = (session: Session): Command =>
  clientCommand('delete', 'delete an entity; its history stays', ['delete sample:HG00096'])
    .argument('<id>', 'id of the entity')
    .option('--reason <text>', 'the reason, recorded with the event')
    .action(async (id: string, options: CommonOptions & { reason?: string }) => {
      const { api, printer } = clientOf(session, options);
      const answer = await api.call({
        method: 'DELETE',
        path: route`/api/v1/metadata/entities/${id}`,
        query: { reason: options.reason },
      });
      printer.answer(member(answer, 'data'), () => `${id} is deleted`);
    });

export const relateCommand = (session: Session): Command =>
  clientCommand('relate', 'create a relationship from an entity to another', [
    'relate sample:HG00096 derived_from specimen:17',
    'relate sample:HG00096 compared_with sample:HG00097 --metadata \'{"by": "ada"}\'',
  ])
    .argument('<id>', 'id of the entity that the relationship starts at')
    .argument('<relationship>', 'type of the relationship')
    .argument('<target>', 'id of the other entity')
    .option('--metadata <json>', 'JSON object that is kept with the relationship')
    .action(
      async (id: string, type: string, target: string, options: CommonOptions & { metadata?: string }) => {
        const { api, printer } = clientOf(session, options);
        const metadata = options.metadata === undefined ? undefined : jsonOrText(options.metadata);
        if (metadata !== undefined && (typeof metadata !== 'object' || metadata === null))
          throw new UsageFailure('--metadata must be a JSON object');
        const answer = await api.call({
          method: 'POST',
          path: route`/api/v1/metadata/entities/${id}/relationships`,
          body: { target_entity_id: target, relationship_type: type, metadata },
        });
        const made = member(answer, 'data');
        printer.answer(made, () => `${id} ${type} ${target} (${String(member(made, 'id'))})`);
      },
    );
