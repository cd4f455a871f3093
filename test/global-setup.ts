// Starts one embedded database for the whole run, with a template that has every migration applied.
// TEST_DATABASE_URL, the URL of a superuser of another PostgreSQL, runs the suite against that one instead.
import fs from 'node:fs';
import pg from 'pg';
import { pino } from 'pino';
import type { TestProject } from 'vitest/node';
import { bootDatabase } from '../platform/database/boot.ts';
import { startEmbedded } from '../platform/database/embedded/supervise.ts';
import { APP } from '../platform/database/roles.ts';
import { quickCwltool } from './testkit/quick-cwltool.ts';
import { removeAbandoned, scratchDirectory } from './testkit/scratch-space.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * URLs of the run's server, as its superuser and as the application role; both name the template
     * database.
     */
    database: { readonly superuserUrl: string; readonly appUrl: string };
  }
}

const TEMPLATE = 'cairn_template';
const APP_PASSWORD = 'the application role of a test run';
const log = pino({ level: 'warn' }, pino.destination({ dest: 2, sync: true }));

/** A server's superuser URL, and the function that releases the server. */
async function findServer(): Promise<{ url: string; release: () => Promise<void> }> {
  const given = process.env['TEST_DATABASE_URL'];
  if (given) return { url: given, release: () => Promise.resolve() };
  removeAbandoned();
  const dataDir = scratchDirectory('suite');
  const settings = {
    fsync: 'off',
    full_page_writes: 'off',
    max_wal_size: '512MB', // it may be in memory
    scram_iterations: '1', // thousands of connections are made, and each takes a quarter less
    max_connections: '300', // of ten files at once, each with servers of its own
    listen_addresses: '127.0.0.1',
    // TCP for tests that put a proxy between a process and its database; nothing here has to survive a power
    // failure
  };
  const server = await startEmbedded({ dataDir, log, settings });
  const release = async (): Promise<void> => {
    await server.release();
    fs.rmSync(dataDir, { recursive: true, force: true });
  };
  return { url: server.superuserUrl('postgres'), release };
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, release } = await findServer();
  const admin = new pg.Client(url);
  await admin.connect();
  await admin.query(`DROP DATABASE IF EXISTS ${TEMPLATE}`);
  await admin.query(`CREATE DATABASE ${TEMPLATE} ENCODING 'UTF8' TEMPLATE template0`);
  await admin.end();
  const superuserUrl = Object.assign(new URL(url), { pathname: `/${TEMPLATE}` }).href;
  await bootDatabase({ url: superuserUrl, log, appPassword: APP_PASSWORD });
  project.provide('database', {
    superuserUrl,
    appUrl: Object.assign(new URL(superuserUrl), { username: APP, password: APP_PASSWORD }).href,
  });
  const cwltool = quickCwltool();
  if (cwltool !== null) process.env['PATH'] = `${cwltool.directory}:${process.env['PATH'] ?? ''}`; // of the workers, too
  return async () => {
    await release();
    cwltool?.remove();
  };
}
