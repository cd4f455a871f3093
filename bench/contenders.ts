// Starts the servers that the chosen cases need, each as a process over the same database.
import { type CairnServer, startApart, startCairn } from './cairn-server.ts';
import type { Case, ServerName } from './cases.ts';
import type { Server } from './measure.ts';
import { freePort, type Processes } from './processes.ts';
import { seed } from './seed.ts';

const JSON_BODY = { 'content-type': 'application/json' };
const script = (name: string): string[] => ['scripts/run.mjs', `bench/baseline/${name}.ts`];

async function startHandWritten(processes: Processes, { databaseUrl }: CairnServer): Promise<Server> {
  const port = await freePort();
  const env = { PORT: String(port), DATABASE_URL: databaseUrl };
  const { url } = await processes.start({
    name: 'hand-written',
    args: script('rest-server'),
    env,
    port,
    readyPath: '/',
  });
  return { url, headers: JSON_BODY };
}

async function startStockApollo(processes: Processes, { databaseUrl }: CairnServer): Promise<Server> {
  const [port, metadataPort, workflowPort] = [await freePort(), await freePort(), await freePort()];
  const env = {
    PORT: String(port),
    METADATA_PORT: String(metadataPort),
    WORKFLOW_PORT: String(workflowPort),
    DATABASE_URL: databaseUrl,
  };
  await processes.start({
    name: 'stock-subgraphs',
    args: script('subgraphs'),
    env,
    port: metadataPort,
    readyPath: '/',
  });
  const { url } = await processes.start({
    name: 'stock-gateway',
    args: script('gateway'),
    env,
    port,
    readyPath: '/',
  });
  return { url, headers: JSON_BODY };
}

/** Starts Cairn, fills its database, and starts the baselines. */
export async function startContenders(
  processes: Processes,
  directory: string,
  cases: readonly Case[],
  entities: number,
  say: (text: string) => void,
): Promise<ReadonlyMap<ServerName, Server>> {
  const needed = new Set(
    cases.flatMap(({ subject = 'cairn', comparisons }) => [subject, ...comparisons.map((one) => one.with)]),
  );
  say('starting Cairn');
  const cairn = await startCairn(processes, directory);
  say(`filling in ${entities} entities`);
  await seed(cairn, entities);
  const headers = { ...JSON_BODY, authorization: `Bearer ${cairn.key}` };
  const servers = new Map<ServerName, Server>([['cairn', { url: cairn.url, headers }]]);
  if (needed.has('cairn-apart'))
    servers.set('cairn-apart', { url: await startApart(processes, directory, cairn), headers });
  if (needed.has('hand-written')) servers.set('hand-written', await startHandWritten(processes, cairn));
  if (needed.has('stock-apollo')) servers.set('stock-apollo', await startStockApollo(processes, cairn));
  return servers;
}
