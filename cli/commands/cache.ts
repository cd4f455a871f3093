// `cairn cache` says what is in the store of produced files, verifies it, and evicts files from it.
import type { Command } from 'commander';
import { member, rows } from '../api.ts';
import { clientCommand, clientOf, type CommonOptions, group } from '../command.ts';
import { Failure, UsageFailure } from '../failure.ts';
import { facts, table } from '../output.ts';
import type { Session } from '../session.ts';

const texts = (answer: unknown, name: string): readonly string[] => {
  const list = member(answer, name);
  return Array.isArray(list) ? list.map(String) : [];
};

const verify = (session: Session): Command =>
  clientCommand(
    'verify',
    'read every produced file and compare it with its hash; exits with status 1 if one is missing or damaged',
    ['cache verify', 'cache verify --json'],
  ).action(async (options: CommonOptions) => {
    const { api, printer } = clientOf(session, options);
    let checked = 0;
    let after: string | undefined;
    const found: Record<'missing' | 'damaged', string[]> = { missing: [], damaged: [] };
    do {
      const answer = await api.call({
        method: 'POST',
        path: '/api/v1/artifact/cache/verify',
        query: { after },
      });
      checked += Number(member(answer, 'checked'));
      found.missing.push(...texts(answer, 'missing'));
      found.damaged.push(...texts(answer, 'damaged'));
      const last = member(answer, 'last');
      after = typeof last === 'string' ? last : undefined;
    } while (after !== undefined);
    const bad = [
      ...found.missing.map((hash) => `${hash} is missing`),
      ...found.damaged.map((hash) => `${hash} is damaged`),
    ];
    printer.answer({ checked, ...found }, () => [`${checked} files were checked`, ...bad].join('\n'));
    if (bad.length > 0)
      throw new Failure(
        `${bad.length} of ${checked} files are missing or damaged; evict them, and the next request for their entities produces them again`,
        { ...found },
      );
  });

const partText = (part: unknown): string =>
  `${String(member(part, 'files'))} files, ${String(member(part, 'bytes'))} bytes`;

/** The parts of the store, in the order of the answer. */
const PARTS = ['stored', 'evictable', 'uploaded', 'held', 'evicted'] as const;

const usage = (session: Session): Command =>
  clientCommand('usage', 'count what is in the store, and what an eviction would take', [
    'cache usage',
    'cache usage --older-than 90d --type Alignment --json',
  ])
    .option('--older-than <time>', 'evicting files that have not been used for this long: 90d, 12h')
    .option('--type <type>', 'evicting files of entities of one type')
    .action(async (options: CommonOptions & { olderThan?: string; type?: string }) => {
      const { api, printer } = clientOf(session, options);
      const answer = await api.call({
        method: 'GET',
        path: '/api/v1/artifact/cache',
        query: { older_than: options.olderThan, entity_type: options.type },
      });
      printer.answer(answer, (paint) =>
        [
          facts(paint, Object.fromEntries(PARTS.map((part) => [part, partText(member(answer, part))]))),
          table(
            paint,
            ['TYPE', 'FILES', 'BYTES'],
            rows(answer, 'by_type').map((type) => [type['entity_type'], type['files'], type['bytes']]),
          ),
        ].join('\n'),
      );
    });

const evict = (session: Session): Command =>
  clientCommand(
    'evict',
    'remove produced files from the store; their entities remain and become unavailable',
    ['cache evict sha256:9f86…', 'cache evict --older-than 90d', 'cache evict --all'],
  )
    .argument('[hash]', 'SHA-256 of one file')
    .option('--older-than <time>', 'files that have not been used for this long: 90d, 12h')
    .option('--type <type>', 'files of entities of one type')
    .option('--all', 'every file')
    .action(
      async (
        hash: string | undefined,
        options: CommonOptions & { olderThan?: string; type?: string; all?: boolean },
      ) => {
        const { api, printer } = clientOf(session, options);
        if (
          hash === undefined &&
          options.olderThan === undefined &&
          options.type === undefined &&
          options.all !== true
        )
          throw new UsageFailure('name the files to evict: give a hash, --older-than, --type or --all');
        const one = hash ?? (options.all === true ? '*' : undefined);
        const path =
          one === undefined ? '/api/v1/artifact/cache' : `/api/v1/artifact/cache/${encodeURIComponent(one)}`;
        const answer = await api.call({
          method: 'DELETE',
          path,
          query: { older_than: options.olderThan, entity_type: options.type },
        });
        printer.answer(
          answer,
          () =>
            `${String(member(answer, 'evicted'))} files (${String(member(answer, 'bytes'))} bytes) were evicted`,
        );
      },
    );

export const cacheCommand = (session: Session): Command =>
  group('cache', 'count, verify and evict produced files', [usage(session), verify(session), evict(session)]);
