// A request as text that somebody can run elsewhere.
import type { ApiRequest, FileRequest } from './operation.ts';
import { COMMAND, ROOT } from './place.ts';

/** A text as one word of a POSIX shell. */
const shell = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const hasVariables = ({ variables }: ApiRequest): boolean => Object.keys(variables).length > 0;
const base = ROOT.replace(/\/$/, '');

const graphql = (request: ApiRequest): string =>
  hasVariables(request)
    ? `${request.text}\n\n# Variables\n${JSON.stringify(request.variables, null, 2).replace(/^/gm, '# ')}`
    : request.text;

const curlFile = ({ path, name }: FileRequest): string =>
  [`curl -s ${shell(`${base}/${path}`)}`, `-H "X-Api-Key: $CAIRN_KEY" -o ${shell(name)}`].join(' \\\n  ');

const cliFile = ({ command }: FileRequest): string =>
  `${COMMAND} ${command.map(shell).join(' ')} --url ${base}`;

const pythonFile = ({ path, name }: FileRequest): string =>
  [
    'import os, shutil, urllib.request',
    '',
    'request = urllib.request.Request(',
    `    ${JSON.stringify(`${base}/${path}`)},`,
    '    headers={"X-Api-Key": os.environ["CAIRN_KEY"]},',
    ')',
    `with urllib.request.urlopen(request) as answer, open(${JSON.stringify(name)}, "wb") as file:`,
    '    shutil.copyfileobj(answer, file)',
  ].join('\n');

/** Delivered as server-sent events, until somebody ends it. */
const isFollowed = ({ text }: ApiRequest): boolean => /^\s*subscription\b/.test(text);

const curl = (request: ApiRequest): string =>
  [
    `curl -s${isFollowed(request) ? 'N' : ''} ${base}/graphql`,
    ...(isFollowed(request) ? [`-H 'Accept: text/event-stream'`] : []),
    `-H "X-Api-Key: $CAIRN_KEY" -H 'Content-Type: application/json'`,
    `-d ${shell(JSON.stringify({ query: request.text, variables: request.variables }))}`,
  ].join(' \\\n  ');

const cli = (request: ApiRequest): string =>
  [
    `${COMMAND} query --url ${base}`,
    shell(request.text),
    ...(hasVariables(request) ? [`--variables ${shell(JSON.stringify(request.variables))}`] : []),
  ].join(' \\\n  ');

const python = (request: ApiRequest): string =>
  [
    `import json, os, ${isFollowed(request) ? '' : 'sys, '}urllib.request`,
    '',
    `query = ${JSON.stringify(request.text)}`,
    `variables = json.loads(${JSON.stringify(JSON.stringify(request.variables))})`,
    'request = urllib.request.Request(',
    `    ${JSON.stringify(`${base}/graphql`)},`,
    '    data=json.dumps({"query": query, "variables": variables}).encode(),',
    '    headers={"Content-Type": "application/json", "X-Api-Key": os.environ["CAIRN_KEY"]},',
    ')',
    ...(isFollowed(request)
      ? [
          'request.add_header("Accept", "text/event-stream")',
          'for line in urllib.request.urlopen(request):',
          '    if line.startswith(b"data: {"):',
          '        print(json.loads(line[6:])["data"], flush=True)',
        ]
      : [
          'answer = json.load(urllib.request.urlopen(request))',
          'print(answer["data"])',
          'if "errors" in answer:',
          '    sys.exit(json.dumps(answer["errors"], indent=2))',
        ]),
  ].join('\n');

export const SNIPPETS = {
  GraphQL: graphql,
  curl: (request: ApiRequest): string => (request.file ? curlFile(request.file) : curl(request)),
  CLI: (request: ApiRequest): string => (request.file ? cliFile(request.file) : cli(request)),
  Python: (request: ApiRequest): string => (request.file ? pythonFile(request.file) : python(request)),
} as const;
export type SnippetKind = keyof typeof SNIPPETS;
