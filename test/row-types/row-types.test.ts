// Every statement of the product is described by PostgreSQL, and its columns and parameters are held against the
// row type and the values that its call names (docs/decisions/0070). None is run.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import ts from 'typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectRoot } from '../../platform/project-root.ts';
import { scratchDatabase, type ScratchDatabase } from '../testkit/database.ts';
import { faultsOf, valueFaults } from './compare.ts';
import { COMPOSED } from './composed.ts';
import { type Describe, describer } from './describe.ts';
import { NO_FAULT, NOT_DESCRIBED } from './exceptions.ts';
import { type Recorded, recordingPool } from './recorder.ts';
import { findStatements, type Statement } from './statements.ts';

const PRODUCT = /^(?:platform|subgraphs|router|rest-compat|standalone|portal|cli)\/.*(?<!\.test)\.ts$/;
const WRONG = path.join(projectRoot, 'test/row-types/wrong-rows.ts');

function parsedConfiguration(): ts.ParsedCommandLine {
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined };
  const parsed = ts.getParsedCommandLineOfConfigFile(path.join(projectRoot, 'tsconfig.json'), {}, host);
  if (!parsed) throw new Error('tsconfig.json cannot be read');
  return parsed;
}

const isProduct = (file: string): boolean =>
  PRODUCT.test(path.relative(projectRoot, file)) &&
  /\bquery\b|\breadShared\b/.test(readFileSync(file, 'utf8'));

let scratch: ScratchDatabase;
let client: pg.Client;
let describe: Describe;
let program: ts.Program;
let statements: readonly Statement[];
let sites: readonly string[];
const reached = new Set<Statement>();
const faults = new Set<string>();

beforeAll(async () => {
  scratch = await scratchDatabase();
  client = new pg.Client(scratch.superuserUrl);
  await client.connect();
  describe = await describer(client);
  const { fileNames, options } = parsedConfiguration();
  const files = fileNames.filter(isProduct);
  program = ts.createProgram([...files, WRONG], options);
  const all = findStatements(program, files, projectRoot);
  sites = all.map(({ site }) => site);
  statements = all.filter(({ site }) => !(site in NOT_DESCRIBED));
  await holdTextsInSource();
  await holdComposedTexts();
}, 300_000); // the compiler reads the whole product

afterAll(async () => {
  await client.end();
  await scratch[Symbol.asyncDispose]();
});

/** The faults of the texts that stand in the source, each with its site. */
async function faultsInSource(statement: Statement): Promise<string[]> {
  const found: string[] = [];
  for (const variant of statement.variants ?? []) {
    const described = await describe(variant.text).catch((error: unknown) => String(error));
    if (typeof described === 'string') found.push(described);
    else found.push(...faultsOf(statement, variant, described, program.getTypeChecker()));
  }
  return found.map((fault) => `${statement.site}: ${fault}`);
}

async function holdTextsInSource(): Promise<void> {
  for (const statement of statements) {
    if (statement.variants !== undefined) reached.add(statement);
    for (const fault of await faultsInSource(statement)) faults.add(fault);
  }
}

function typeNamed(name: string): ts.Type {
  const [file = '', type] = name.split('#');
  const source = program.getSourceFile(path.join(projectRoot, file));
  const found = source?.statements.find((one) => ts.isInterfaceDeclaration(one) && one.name.text === type);
  if (!found) throw new Error(`there is no ${name}`);
  return program.getTypeChecker().getTypeAtLocation(found);
}

function senderOf({ text, through }: Recorded): Statement {
  for (const { file, line } of through) {
    const ofFile = statements.filter((one) => path.join(projectRoot, one.file) === file);
    const within = ([from, to]: readonly [number, number]): boolean => from <= line && line <= to;
    const sender = ofFile.find(({ lines }) => within(lines)) ?? ofFile.find(({ awaited }) => within(awaited));
    if (sender) return sender;
  }
  throw new Error(`nobody is known to send ${text}`);
}

async function faultsOfRecorded(one: Recorded, row: ts.Type | undefined): Promise<string[]> {
  const described = await describe(one.text).catch((error: unknown) => String(error));
  if (typeof described === 'string') return [described];
  const ofColumns = faultsOf(
    { row, isText: one.isText },
    { parameters: undefined },
    described,
    program.getTypeChecker(),
  );
  return [...ofColumns, ...(one.values ? valueFaults(one.values, described) : [])];
}

async function holdComposedTexts(): Promise<void> {
  for (const { send, row } of COMPOSED) {
    const recorded: Recorded[] = [];
    await send(recordingPool(recorded));
    for (const one of recorded) {
      const sender = senderOf(one);
      reached.add(sender);
      const isOpen = sender.row !== undefined && (sender.row.flags & ts.TypeFlags.TypeParameter) !== 0;
      const held = isOpen && row !== undefined ? typeNamed(row) : sender.row;
      for (const fault of await faultsOfRecorded(one, held)) faults.add(`${sender.site}: ${fault}`);
    }
  }
}

test('no statement is passed over', () => {
  expect(statements.length).toBeGreaterThan(200);
  expect(
    statements.filter((one) => !reached.has(one)).map(({ site, lines }) => `${site}, line ${lines[0]}`),
  ).toEqual([]);
});

test('columns and parameters are what row types and values say', () => {
  expect([...faults].sort()).toEqual(Object.keys(NO_FAULT).sort());
});

test('every statement listed as not described exists', () => {
  expect(Object.keys(NOT_DESCRIBED).filter((site) => !sites.includes(site))).toEqual([]);
});

test('wrong row types and values are found', async () => {
  const found: string[] = [];
  for (const statement of findStatements(program, [WRONG], path.dirname(WRONG))) {
    if (statement.variants === undefined) found.push(`${statement.site}: is put together at run time`);
    found.push(...(await faultsInSource(statement)));
  }
  expect(found.map((fault) => fault.replace('wrong-rows.ts#', ''))).toEqual([
    'wrongColumn: the column "name" is not in the row type',
    'wrongColumn: there is no column "label"',
    'missingColumn: there is no column "roles"',
    'wrongType: "name" is text, and declared as number',
    'wrongType: "roles" is _text, and declared as string',
    'wrongType: "all_projects" is bool, and declared as string',
    'wrongType: "created_at" is timestamptz, and declared as string',
    'bigNumber: "n" is int8, and declared as number',
    'mayBeNull: "project" may be null, and is declared as string',
    'wrongValue: $1 is text, and given number',
    'tooManyValues: 1 parameters, and 2 values',
    'noSuchTable: error: relation "gateway.user" does not exist',
    'oneOfTwo: error: column "id" does not exist',
    'composed: is put together at run time',
  ]);
});
