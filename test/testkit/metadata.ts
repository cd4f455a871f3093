// A metadata component over a fresh database, called as the router calls it.
import { pino } from 'pino';
import type { ComponentResult } from '../../platform/component.ts';
import { connectDatabase, type Database } from '../../platform/database/connect.ts';
import type { Caller, Projects, Role } from '../../platform/identity.ts';
import { DOCS } from '../../platform/docs-page.ts';
import { createMetadataComponent } from '../../subgraphs/metadata/component.ts';
import type { MetadataOptions } from '../../subgraphs/metadata/foundation.ts';
import { freshDatabase, testLog } from './database.ts';

export const callerWith = (role: Role, projects: Projects = '*', actor = `user:${role}`): Caller => ({
  actor,
  roles: [role],
  projects,
  requestId: '00000000-0000-4000-8000-000000000000',
});

export const admin = callerWith('admin');

type Chosen = Pick<MetadataOptions, 'validators' | 'indexesEveryMs'>;

/** Over the database of another, like a second process: with a pool and a component of its own. */
export function anotherProcess({ database: { url } }: FreshMetadata) {
  const database = connectDatabase({ url, applicationName: 'cairn test, another process', log: testLog });
  return metadataOver(database, () => database.close());
}

export async function freshMetadata(options: Chosen = {}) {
  const database = await freshDatabase();
  return metadataOver(database, async () => database[Symbol.asyncDispose](), options);
}

export async function metadataOver<D extends Database>(
  database: D,
  end: () => Promise<void>,
  { validators = [], indexesEveryMs }: Chosen = {},
) {
  const component = await createMetadataComponent({
    database,
    log: pino({ level: 'silent' }),
    docs: DOCS,
    validators,
    ...(indexesEveryMs === undefined ? {} : { indexesEveryMs }),
  });
  const prepared = new Map<string, ReturnType<typeof component.prepare>>();
  const raw = (
    document: string,
    variables: Record<string, unknown> = {},
    caller: Caller = admin,
  ): Promise<ComponentResult> => {
    let run = prepared.get(document);
    if (!run) prepared.set(document, (run = component.prepare(document)));
    return run(variables, caller);
  };
  return {
    component,
    database,
    raw,
    /** The value of the document's one root field. @throws the first error, its code before its message */
    async ask(
      document: string,
      variables: Record<string, unknown> = {},
      caller: Caller = admin,
    ): Promise<unknown> {
      const result = await raw(document, variables, caller);
      const error = result.errors?.[0];
      if (error)
        throw Object.assign(new Error(`${String(error.extensions?.['code'])}: ${error.message}`), {
          details: error.extensions?.['details'],
        });
      const texts = result.texts && Object.values(result.texts)[0];
      return texts !== undefined ? (JSON.parse(texts) as unknown) : Object.values(result.data ?? {})[0];
    },
    async [Symbol.asyncDispose]() {
      await component.close();
      await end();
    },
  };
}

export type FreshMetadata = Awaited<ReturnType<typeof freshMetadata>>;
