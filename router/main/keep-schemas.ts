// Makes what every start of a built installation needs of the SDLs, into the folder that is its argument: it may be
// read-only, and would make them each time. Run by `npm run build`.
import { readdirSync } from 'node:fs';
import { pino } from 'pino';
import { createKeptTexts } from '../../platform/kept-texts.ts';
import { guardedSchema } from '../../platform/subgraph-schema.ts';
import { ARTIFACT_NOUNS } from '../../subgraphs/artifact/nouns.ts';
import { METADATA_NOUNS } from '../../subgraphs/metadata/nouns.ts';
import { WORKFLOW_NOUNS } from '../../subgraphs/workflow/nouns.ts';
import { compose } from '../execution/compose.ts';
import { GATEWAY_NOUNS } from '../gateway-schema/nouns.ts';

/** In the order in which a start opens them. */
const SUBGRAPHS = [
  ['metadata', METADATA_NOUNS],
  ['workflow', WORKFLOW_NOUNS],
  ['artifact', ARTIFACT_NOUNS],
  ['gateway', GATEWAY_NOUNS],
] as const;

const [directory] = process.argv.slice(2);
if (directory === undefined) throw new Error('a folder is needed');
const memory = createKeptTexts(directory, pino({ level: 'debug' })); // what could not be kept is told
compose(new Map(SUBGRAPHS.map(([name, nouns]) => [name, guardedSchema(nouns, memory).sdl])), memory);
// of each subgraph, and of the supergraph
if (readdirSync(directory).length <= SUBGRAPHS.length) throw new Error('not all could be kept');
