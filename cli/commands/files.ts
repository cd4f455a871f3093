// `cairn files` uploads, downloads and lists files.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { Writable } from 'node:stream';
import type { Command } from 'commander';
import { isObject } from '../../platform/json-object.ts';
import { type Api, type Json, member, route, rows } from '../api.ts';
import { clientCommand, clientOf, type CommonOptions, group, wholeNumber } from '../command.ts';
import { Failure, UsageFailure } from '../failure.ts';
import { downloadFile, told } from '../files/download-file.ts';
import { type ByteProgress, bytesText, showBytes } from '../files/show-bytes.ts';
import { uploadFile, type Uploaded } from '../files/upload-file.ts';
import { type ListOptions, printList, printsList } from '../list.ts';
import { facts, table } from '../output.ts';
import { namedPage, readPages } from '../pages.ts';
import type { Output, Session } from '../session.ts';

const HASH = /^(?:sha256:)?([0-9a-f]{64})$/i;
const MIB = 1024 * 1024;
const PAGE = namedPage('items');

interface PutOptions extends CommonOptions {
  readonly entity?: string;
  readonly field?: string;
  readonly name?: string;
  readonly part?: number;
}

interface GetOptions extends CommonOptions {
  readonly asOf?: string;
  readonly output?: string;
  readonly force?: boolean;
}

/** Shows progress while it works. */
async function shown<T>(
  session: Session,
  name: string,
  work: (onProgress: (progress: ByteProgress) => void) => Promise<T>,
): Promise<T> {
  let state: ByteProgress = { verb: 'opening', done: 0, before: 0, total: 0 };
  const stop = showBytes(session.stderr, name, () => state);
  try {
    return await work((progress) => {
      state = progress;
    });
  } finally {
    stop();
  }
}

function putCommand(session: Session): Command {
  return clientCommand('put', 'upload files, and attach one to an entity', [
    'files put calls.vcf.gz',
    'files put calls.vcf.gz --entity callset:1 --field uri',
    'files put reads/*.fastq.gz --json',
  ])
    .argument('<file...>', 'files of this machine')
    .option('--entity <id>', 'attach the file to this entity')
    .option('--field <name>', 'field of the entity that holds the file; bams[0] for a list (default: uri)')
    .option('--name <name>', "the file's name there (default: its own)")
    .option(
      '--part <MiB>',
      'send at most so much in one request, for proxies that allow no more (default: all)',
      wholeNumber(1, 1_000_000),
    )
    .action(async (files: readonly string[], options: PutOptions) => {
      const { entity, name, part } = options;
      if (files.length > 1 && (entity !== undefined || name !== undefined))
        throw new UsageFailure('--entity and --name go with one file');
      if (entity === undefined && options.field !== undefined)
        throw new UsageFailure('--field goes with --entity');
      const { api, printer } = clientOf(session, options);
      const done: (Uploaded & { readonly file: string })[] = [];
      for (const file of files) {
        const uploaded = await shown(session, file, (onProgress) =>
          uploadFile(api, {
            file: path.resolve(session.cwd, file),
            name: name ?? path.basename(file),
            entity,
            field: entity === undefined ? undefined : (options.field ?? 'uri'),
            partBytes: part === undefined ? null : part * MIB,
            onProgress,
          }),
        );
        done.push({ file, ...uploaded });
      }
      printer.answer(done, (paint) =>
        table(
          paint,
          ['FILE', 'SIZE', 'HASH'],
          done.map((one) => [one.file, bytesText(one.size), one.hash]),
        ),
      );
    });
}

/** The endpoint of a hash, or of an entity's field. */
function endpointOf(what: string, field: string | undefined, asOf: string | undefined): string {
  const hex = HASH.exec(what)?.[1];
  if (hex === undefined) {
    const from = route`/api/v1/metadata/entities/${what}/files/${field ?? 'uri'}`;
    return asOf === undefined ? from : `${from}?${new URLSearchParams({ as_of: asOf }).toString()}`;
  }
  if (field !== undefined) throw new UsageFailure('a field goes with an entity, not with a hash');
  if (asOf !== undefined) throw new UsageFailure('--as-of goes with an entity, not with a hash');
  return route`/api/v1/artifact/files/${hex.toLowerCase()}`;
}

/** As fast as the other end takes it; the hash is compared at the end. */
async function toStdout(api: Api, from: string, stdout: Output): Promise<void> {
  const { hex } = await told(api, from);
  const answer = await api.transfer({ method: 'GET', path: from });
  if (answer.status !== 200) throw await answer.failure();
  const hash = createHash('sha256');
  if (!(stdout instanceof Writable)) throw new Failure('standard output takes no bytes');
  // a stream without an encoding returns buffers
  for await (const chunk of answer.body as AsyncIterable<Buffer>) {
    hash.update(chunk);
    if (!stdout.write(chunk)) await once(stdout, 'drain');
  }
  const found = hash.digest('hex');
  if (found !== hex)
    throw new Failure(`what came has the hash ${found}, not ${hex}`, {
      error: 'hash_mismatch',
      expected: hex,
      found,
    });
}

function downloadCommand(session: Session): Command {
  return clientCommand('get', 'download a file by its hash, or by the entity and field that hold it', [
    'files get callset:1',
    'files get callset:1 index -o calls.tbi',
    'files get sha256:0b3bdf90d82e8bce193cda7534123cdaca8b458081ef76e3a221a308914fa4ae -o - | zcat',
  ])
    .argument('<entity-or-hash>', 'id of an entity, or the SHA-256 of a file')
    .argument('[field]', 'field of the entity (default: uri)')
    .option(
      '-o, --output <file>',
      'file or directory to write to; - for standard output (default: here, under its own name)',
    )
    .option('--as-of <time>', 'the file that the entity held at that time')
    .option('--force', 'replace an existing file')
    .action(async (what: string, field: string | undefined, options: GetOptions) => {
      const { api, printer } = clientOf(session, options);
      const from = endpointOf(what, field, options.asOf);
      if (options.output === '-') return toStdout(api, from, session.stdout);
      const done = await shown(session, what, (onProgress) =>
        downloadFile(api, {
          from,
          to: path.resolve(session.cwd, options.output ?? '.'),
          isForced: options.force === true,
          onProgress,
        }),
      );
      printer.answer(done, (paint) =>
        facts(paint, { file: done.file, size: bytesText(done.size), hash: done.hash }),
      );
    });
}

const ARTIFACTS = `query CliFiles($id: ID!) { entity(id: $id) { artifacts { field name hash size media_type: mediaType url evicted_at: evictedAt } } }`;

async function filesOf(api: Api, id: string): Promise<readonly Json[]> {
  const answer = await api.call({
    method: 'POST',
    path: '/graphql',
    body: { query: ARTIFACTS, variables: { id } },
  });
  const entity = member(member(answer, 'data'), 'entity');
  if (!isObject(entity)) throw new Failure(`entity not found: ${id} (404)`, { status: 404 });
  return rows(entity, 'artifacts');
}

const sizeText = (size: unknown): string | null => (typeof size === 'number' ? bytesText(size) : null);

/** What is under way and what has come, alike. */
const uploadsOf = (files: readonly Json[], unfinished: readonly Json[]): readonly Json[] => [
  ...unfinished.map((one) => ({
    name: one['name'],
    size: one['length'],
    state: one['fault'] === null ? `${sizeText(one['offset'])} received` : 'refused',
    expires_at: one['expires_at'],
    hash: one['expected_hash'],
  })),
  ...files.map((one) => {
    const file = isObject(one['file']) ? one['file'] : {};
    const state = one['is_attached'] === true ? 'attached' : 'not attached';
    return {
      name: file['name'],
      size: file['size'],
      state,
      expires_at: one['expires_at'],
      hash: file['hash'],
    };
  }),
];

const SIZE = ({ size, evicted_at: evictedAt = null }: Json): string | null =>
  evictedAt === null ? sizeText(size) : 'evicted';

function listCommand(session: Session): Command {
  const command = clientCommand('ls', "list an entity's files, or your own uploads", [
    'files ls callset:1',
    'files ls -o csv',
  ]);
  return printsList(command)
    .argument('[entity]', 'id of an entity (default: what you have uploaded)')
    .action(async (entity: string | undefined, options: ListOptions) => {
      const { api } = clientOf(session, options);
      if (entity !== undefined) {
        const items = await filesOf(api, entity);
        const columns = { FIELD: 'field', NAME: 'name', SIZE, HASH: 'hash' };
        return printList(session, options, { answer: items, items, columns });
      }
      const { items: files } = await readPages(api, { path: '/api/v1/artifact/files' }, PAGE, { all: true });
      const uploads = await readPages(api, { path: '/api/v1/artifact/uploads' }, PAGE, { all: true });
      const unfinished = uploads.items.filter((one) => one['finished_at'] === null);
      return printList(session, options, {
        answer: { files, unfinished },
        items: uploadsOf(files, unfinished),
        columns: { NAME: 'name', SIZE, STATE: 'state', EXPIRES: 'expires_at', HASH: 'hash' },
      });
    });
}

export const filesCommand = (session: Session): Command =>
  group('files', 'upload, download and list files', [
    putCommand(session),
    downloadCommand(session),
    listCommand(session),
  ]);
