// `cairn diff` tells what differs between an entity at two times, between two entities, or between two moments of a set.
import type { Command } from 'commander';
import { type Api, type Json, member, route, rows } from '../api.ts';
import { clientOf, collected, conditions, wholeNumber } from '../command.ts';
import { UsageFailure } from '../failure.ts';
import { pagedCommand, printList } from '../list.ts';
import { ITEMS, moreBelow, readPages } from '../pages.ts';
import { type DiffOptions, printDiff, printsPatch } from '../part-differences.ts';
import { passThrough } from '../pass-through.ts';
import type { Session } from '../session.ts';

interface Options extends DiffOptions {
  readonly from?: string;
  readonly to?: string;
  readonly type?: string;
  readonly filter?: string;
  readonly words?: string;
  readonly where?: readonly string[];
  readonly includeUnavailable?: boolean;
  readonly limit?: number;
  readonly cursor?: string;
}

async function ofEntities(
  session: Session,
  api: Api,
  [id, other]: readonly [string, string | undefined],
  options: Options,
): Promise<void> {
  const whole = await api.call({
    path: route`/api/v1/metadata/entities/${id}/diff`,
    query: { from: options.from, to: options.to, to_entity_id: other },
  });
  const answer = member(whole, 'data');
  const items = rows(answer, 'differences');
  const versionOf = (name: string): string => {
    const state = member(answer, name);
    return state === null ? 'none' : String(member(state, 'version'));
  };
  const versions = `${versionOf('before')} -> ${versionOf('after')}`;
  printDiff(session, options, {
    answer,
    items,
    columns: { FIELD: 'field', KIND: 'kind', BEFORE: 'before', AFTER: 'after' },
    footer: items.length === 0 ? `no field differs (version ${versions})` : `version ${versions}`,
  });
}

const fieldsOf = (item: Json): string =>
  rows(item, 'differences')
    .map(({ field }) => String(field))
    .join(', ');

async function ofSets(session: Session, api: Api, options: Options): Promise<void> {
  if (options.patch === true) throw new UsageFailure('a set has a patch for each entity: -o json shows them');
  if (options.from === undefined) throw new UsageFailure('give the first moment: --from');
  if (options.words !== undefined && (options.type === undefined || options.where !== undefined))
    throw new UsageFailure('--words go with --type, and with --filter in place of --where');
  const request = {
    path: options.words === undefined ? '/api/v1/metadata/diff' : '/api/v1/metadata/search/diff',
    query: {
      ...conditions(options.where),
      entity_type: options.type,
      filter: options.filter,
      q: options.words,
      include_unavailable: options.includeUnavailable,
      from: options.from,
      to: options.to,
    },
  };
  if (options.all === true && options.output === 'ndjson' && options.json !== true) {
    const headers = { accept: 'application/x-ndjson' };
    await passThrough(await api.download({ ...request, headers }), session.stdout, 'the list');
    return;
  }
  const limit = options.limit ?? (options.all === true ? 1000 : undefined);
  const pages = await readPages(
    api,
    { ...request, query: { ...request.query, limit, cursor: options.cursor } },
    ITEMS,
    options,
  );
  printList(session, options, {
    ...pages,
    columns: { ENTITY: 'entity_id', TYPE: 'entity_type', KIND: 'kind', FIELDS: fieldsOf },
    footer: pages.items.length === 0 ? 'nothing differs' : moreBelow(pages),
  });
}

/** The options that choose a set; one of them has to be given. */
const CHOOSING = ['type', 'filter', 'words', 'where'] as const;
const SET_OPTIONS = [...CHOOSING, 'includeUnavailable', 'limit', 'cursor', 'all'] as const;

export const diffCommand = (session: Session): Command =>
  printsPatch(
    pagedCommand(
      'diff',
      'tell what differs between an entity at two times, between two entities, or in a type between two times',
      [
        'diff sample:HG00096 --from 2026-01-31T00:00:00Z',
        'diff sample:HG00096 sample:HG00097 -o json',
        'diff --type Sample --from 2026-01-01T00:00:00Z --to 2026-02-01T00:00:00Z',
        "diff --type Sample --filter 'data.depth > 30' --from 2026-01-01T00:00:00Z --all -o ndjson",
      ],
    ),
  )
    .argument('[id]', 'id of an entity')
    .argument('[other]', 'id of the entity to compare it with; itself by default')
    .option('--from <time>', 'the first one as it was at that time; now by default')
    .option('--to <time>', 'the second one as it was at that time; now by default')
    .option('-t, --type <type>', 'what was added, removed and changed among the entities of this type')
    .option('-f, --filter <cel>', 'the same among those for which this CEL expression was true')
    .option('--words <words>', 'the same among those of the type that held these words')
    .option('-w, --where <field=value>', 'value that a field must have had; may be repeated', collected)
    .option('--include-unavailable', 'also entities that were not available')
    .option('-n, --limit <n>', 'entities in a page (default 100)', wholeNumber(1, 1000))
    .option('--cursor <cursor>', 'go on after an earlier page')
    .action(async (id: string | undefined, other: string | undefined, options: Options) => {
      const { api } = clientOf(session, options);
      if (id === undefined) {
        if (CHOOSING.every((name) => options[name] === undefined))
          throw new UsageFailure('give the id of an entity, or --type, --filter or --where');
        return ofSets(session, api, options);
      }
      const wrong = SET_OPTIONS.find((name) => options[name] !== undefined);
      if (wrong !== undefined)
        throw new UsageFailure('with the id of an entity there is no set to choose from');
      return ofEntities(session, api, [id, other], options);
    });
