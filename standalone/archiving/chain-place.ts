// Where chains are: written sealed if backups are, and read back.
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { refusedBackup } from '../backups/backup-format.ts';
import { BlobMissing, type Blobs } from '../backups/blobs.ts';
import { getFile, UNSEALED } from '../backups/repository.ts';
import { type Opener, placeOpener, type Sealer, type Secrets } from '../backups/sealing.ts';
import {
  basePartName,
  type Chain,
  CHAIN,
  CHAIN_SEAL,
  chainFolder,
  CHAINS,
  chainText,
  MAX_CHAIN_PART_BYTES,
  pieceBytes,
  type PieceHeader,
  pieceName,
  readChain,
  readPiece,
} from './chain-format.ts';

const compressed = promisify(gzip);
const unpacked = promisify(gunzip);
/** Fast: the log of writes becomes about a fourth. */
const LEVEL = { level: 1 };

const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

export interface WritablePlace {
  readonly blobs: Blobs;
  readonly sealer: Sealer | undefined;
  /** Of this data directory. */
  readonly instance: string;
}

/** A chain cannot go on, because what was archived of it is not where it goes on. */
export class ChainGone extends Error {
  override name = 'ChainGone';
}

/** Writes one chain. */
export class ChainWriter {
  readonly id: string;
  readonly #blobs: Blobs;
  readonly #sealer: Sealer | undefined;
  readonly #instance: string;
  readonly #parts: Chain['parts'] = [];

  constructor({ blobs, sealer, instance }: WritablePlace, id: string) {
    this.id = id;
    this.#blobs = blobs;
    this.#sealer = sealer;
    this.#instance = instance;
  }

  async #write(name: string, bytes: Buffer): Promise<void> {
    const content = Readable.from([bytes]);
    const sealed = this.#sealer === undefined ? content : await this.#sealer.seal(content);
    await this.#blobs.write(`${chainFolder(this.id)}/${name}`, sealed);
  }

  async begin(): Promise<void> {
    const seal = `${this.#sealer?.mark ?? UNSEALED}\n${this.#instance}\n`;
    await this.#blobs.write(`${chainFolder(this.id)}/${CHAIN_SEAL}`, Readable.from([Buffer.from(seal)]));
  }

  async basePart(content: Buffer): Promise<void> {
    const bytes = await compressed(content, LEVEL);
    this.#parts.push({ bytes: bytes.length, sha256: sha256Of(bytes) });
    await this.#write(basePartName(this.#parts.length), bytes);
  }

  /** From here on it is one that can be restored. */
  async finishBase(chain: Omit<Chain, 'id' | 'parts' | 'instance'>): Promise<Chain> {
    const whole = { ...chain, id: this.id, instance: this.#instance, parts: this.#parts };
    await this.#write(CHAIN, Buffer.from(chainText(whole)));
    return whole;
  }

  /** @throws ChainGone where what it follows is no longer there: the place was emptied, or is another one by now */
  async piece(number: number, header: Omit<PieceHeader, 'sha256'>, content: Buffer): Promise<void> {
    const bytes = await compressed(content, LEVEL);
    await this.#write(pieceName(number), pieceBytes({ ...header, sha256: sha256Of(content) }, bytes));
    // after it: a place that is away fails to be written to, and may come back with all that it had
    for (const name of [CHAIN_SEAL, CHAIN, ...(number === 0 ? [] : [pieceName(number - 1)])])
      if ((await this.#blobs.size(`${chainFolder(this.id)}/${name}`)) === null) {
        // alone it is of no use; nothing else is touched, since the place may be back by now
        await this.#blobs.remove(`${chainFolder(this.id)}/${pieceName(number)}`);
        throw new ChainGone(`${this.#blobs.address} no longer has ${chainFolder(this.id)}/${name}`);
      }
  }

  abandon(): Promise<void> {
    return this.#blobs.removeFolder(chainFolder(this.id));
  }
}

/** Reads one chain. */
export class ChainReader {
  readonly chain: Chain;
  readonly address: string;
  readonly #blobs: Blobs;
  readonly #mark: string;
  readonly #opener: Opener | undefined;

  constructor(blobs: Blobs, chain: Chain, mark: string, opener: Opener | undefined) {
    this.chain = chain;
    this.address = `${blobs.address} (${chain.id})`;
    this.#blobs = blobs;
    this.#mark = mark;
    this.#opener = opener;
  }

  get isSealed(): boolean {
    return this.#opener !== undefined;
  }

  async *base(): AsyncGenerator<Buffer, void, undefined> {
    for (const [i, part] of this.chain.parts.entries()) {
      const name = basePartName(i + 1);
      const bytes = await readSealed(this.#blobs, `${chainFolder(this.chain.id)}/${name}`, this.#opener);
      if (bytes === null) throw refusedBackup(`lacks ${name}`);
      if (sha256Of(bytes) !== part.sha256) throw refusedBackup(`is damaged: ${name} has another hash`);
      yield await unpacked(bytes, { maxOutputLength: MAX_CHAIN_PART_BYTES });
    }
  }

  /** Whether there is any log after its base: without, the base cannot be made consistent. */
  async hasPieces(): Promise<boolean> {
    return (await this.#blobs.size(`${chainFolder(this.chain.id)}/${pieceName(0)}`)) !== null;
  }

  /** In their order, up to the first that is not there. */
  async *pieces(): AsyncGenerator<{ header: PieceHeader; content: Buffer }, void, undefined> {
    for (let number = 0, at = this.chain.wal_from; ; number++) {
      const name = pieceName(number);
      const bytes = await readSealed(this.#blobs, `${chainFolder(this.chain.id)}/${name}`, this.#opener);
      if (bytes === null) return;
      const { header, content: packed } = readPiece(bytes);
      const content = await unpacked(packed, { maxOutputLength: 2 * MAX_CHAIN_PART_BYTES }).catch(
        (cause: unknown) => {
          throw refusedBackup(`is damaged: ${name} cannot be unpacked`, { cause });
        },
      );
      if (sha256Of(content) !== header.sha256 || header.from !== at)
        throw refusedBackup(`is damaged: ${name} does not follow the piece before it, or has another hash`);
      at = header.to;
      yield { header, content };
    }
  }

  file(hash: string): Promise<Readable> {
    return getFile(this.#blobs, this.#mark, this.#opener, hash);
  }
}

async function readSealed(blobs: Blobs, name: string, opener: Opener | undefined): Promise<Buffer | null> {
  try {
    const content = await blobs.read(name);
    return await buffer(opener === undefined ? content : await opener.open(content));
  } catch (fault) {
    if (fault instanceof BlobMissing) return null;
    throw fault;
  }
}

/** The chains that are whole, the newest first. @throws DomainError where one is sealed and not opened */
export async function* readChains(
  blobs: Blobs,
  secrets: Secrets,
): AsyncGenerator<ChainReader, void, undefined> {
  let opener: Opener | undefined;
  for (const id of [...(await blobs.folders(CHAINS))].sort().reverse()) {
    const seal = await readSealed(blobs, `${chainFolder(id)}/${CHAIN_SEAL}`, undefined);
    if (seal === null || (await blobs.size(`${chainFolder(id)}/${CHAIN}`)) === null) continue;
    const [mark = ''] = seal.toString().split('\n');
    if (!/^[0-9a-z]+$/.test(mark)) throw refusedBackup(`${id} does not say whether it is encrypted`);
    if (mark !== UNSEALED) opener ??= await placeOpener(blobs, secrets);
    const used = mark === UNSEALED ? undefined : opener;
    const content = await blobs.read(`${chainFolder(id)}/${CHAIN}`);
    const chain = readChain(await text(used === undefined ? content : await used.open(content)));
    if (chain.id !== id) throw refusedBackup(`${id} is damaged: it is called ${chain.id}`);
    yield new ChainReader(blobs, chain, mark, used);
  }
}
