// `cairn search` finds entities by words; `cairn history` shows what happened to one.
import type { Command } from 'commander';
import { clientCommand, clientOf, wholeNumber } from '../command.ts';
import { type ListOptions, pagedCommand, printsList } from '../list.ts';
import type { Session } from '../session.ts';
import { printHistory, printHits, type SearchedBy } from './entity-lists.ts';

export const searchCommand = (session: Session): Command =>
  pagedCommand('search', 'find entities of a type by words in their fields, best match first', [
    'search Sample "lymphoblast female"',
    'search Sample "lymphoblast" --filter \'data.sex == "female"\'',
    'search Sample HG000 --all -o csv --columns id,data.sex',
  ])
    .argument('<type>', 'entity type; its subtypes are included')
    .argument('<words>', 'words that must all occur; the last one may be the beginning of a word')
    .option('--filter <cel>', 'only entities for which this CEL expression is true, too')
    .option('--as-of <time>', 'as they were at that time')
    .option('--include-unavailable', 'also unavailable entities')
    .option('-n, --limit <n>', 'entities in a page (default 100)', wholeNumber(1, 1000))
    .action((type: string, words: string, options: SearchedBy) =>
      printHits(session, clientOf(session, options).api, [type, words], options),
    );

export const historyCommand = (session: Session): Command =>
  printsList(
    clientCommand('history', 'show the provenance events of an entity, oldest first', [
      'history sample:HG00096',
      'history sample:HG00096 -o ndjson',
    ]),
  )
    .argument('<id>', 'id of an entity')
    .action((id: string, options: ListOptions) =>
      printHistory(session, clientOf(session, options).api, id, options),
    );
