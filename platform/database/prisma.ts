// Makes Prisma Client over a pool. Instants are text, to the microsecond: the client's schema says so
// (scripts/generate.mjs), and here they get the form of every response (docs/reference/api-conventions.md#timestamps).
import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { PrismaClient } from '../../prisma/generated/client.ts';
import { instantText } from '../queryable.ts';

type Reader = Pick<Awaited<ReturnType<PrismaPg['connect']>>, 'queryRaw'>;

/** What Prisma's driver adapters call a column of `timestamptz`. */
const DATE_TIME = 10;

function withInstants<R extends Reader>(reader: R): R {
  const queryRaw = reader.queryRaw.bind(reader);
  reader.queryRaw = async (query) => {
    const result = await queryRaw(query);
    const columns = result.columnTypes.flatMap((type, i) => (type === DATE_TIME ? [i] : []));
    for (const row of result.rows)
      for (const i of columns) if (typeof row[i] === 'string') row[i] = instantText(row[i]);
    return result;
  };
  return reader;
}

class InstantsAsText extends PrismaPg {
  override async connect(): ReturnType<PrismaPg['connect']> {
    const adapter = withInstants(await super.connect());
    const begin = adapter.startTransaction.bind(adapter);
    adapter.startTransaction = async (isolation) => withInstants(await begin(isolation));
    return adapter;
  }
}

/** Connects at the first question; that loads the query compiler as well (docs/decisions/0070). */
export const createPrismaClient = (pool: pg.Pool): PrismaClient =>
  new PrismaClient({ adapter: new InstantsAsText(pool) });
