// Node 20 lacks AsyncDisposableStack, but has `Symbol.asyncDispose`: the compiler's types must match.
import path from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { projectRoot } from '../platform/project-root.ts';

/** The compiler's errors for a text in this project. */
function complaints(text: string): readonly string[] {
  const file = path.join(projectRoot, 'platform', 'never-written.ts');
  const { config } = ts.readConfigFile(path.join(projectRoot, 'tsconfig.json'), (name) =>
    ts.sys.readFile(name),
  ) as { config: { compilerOptions: object } };
  const { options } = ts.parseJsonConfigFileContent(
    { compilerOptions: config.compilerOptions, files: [file] },
    ts.sys,
    projectRoot,
  );
  const host = ts.createCompilerHost(options);
  const program = ts.createProgram([file], options, {
    ...host,
    fileExists: (name) => name === file || host.fileExists(name),
    getSourceFile: (name, version) =>
      name === file ? ts.createSourceFile(name, text, version) : host.getSourceFile(name, version),
  });
  return ts
    .getPreEmitDiagnostics(program, program.getSourceFile(file))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}

test('what Node 20 lacks is a fault of types, what it has is not', () => {
  expect(complaints('export const stack = new AsyncDisposableStack();')).toEqual([
    expect.stringContaining('AsyncDisposableStack'),
  ]);
  expect(complaints('export const waits = Promise.withResolvers();')).toEqual([
    expect.stringContaining('withResolvers'),
  ]);
  expect(
    complaints(
      'export async function end(held: AsyncDisposable): Promise<void> { await using it = held; await held[Symbol.asyncDispose](); void it; }',
    ),
  ).toEqual([]);
}, 60_000);
