// Node 20 lacks AsyncDisposableStack, but has `Symbol.asyncDispose`: the compiler's types must match.
import path from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { projectRoot } from '../platform/project-root.ts';

/** The compiler's errors for each text as a file of this project, all in one program. */
function complaints(...texts: readonly string[]): readonly (readonly string[])[] {
  const files = new Map(
    texts.map((text, i) => [path.join(projectRoot, 'platform', `never-written-${i}.ts`), text]),
  );
  const { config } = ts.readConfigFile(path.join(projectRoot, 'tsconfig.json'), (name) =>
    ts.sys.readFile(name),
  ) as { config: { compilerOptions: object } };
  const { options } = ts.parseJsonConfigFileContent(
    { compilerOptions: config.compilerOptions, files: [...files.keys()] },
    ts.sys,
    projectRoot,
  );
  const host = ts.createCompilerHost(options);
  const program = ts.createProgram([...files.keys()], options, {
    ...host,
    fileExists: (name) => files.has(name) || host.fileExists(name),
    getSourceFile: (name, version) => {
      const text = files.get(name);
      return text === undefined
        ? host.getSourceFile(name, version)
        : ts.createSourceFile(name, text, version);
    },
  });
  return [...files.keys()].map((file) =>
    ts
      .getPreEmitDiagnostics(program, program.getSourceFile(file))
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' ')),
  );
}

test('what Node 20 lacks is a fault of types, what it has is not', () => {
  expect(
    complaints(
      'export const stack = new AsyncDisposableStack();',
      'export const waits = Promise.withResolvers();',
      'export async function end(held: AsyncDisposable): Promise<void> { await using it = held; await held[Symbol.asyncDispose](); void it; }',
    ),
  ).toEqual([
    [expect.stringContaining('AsyncDisposableStack')],
    [expect.stringContaining('withResolvers')],
    [],
  ]);
});
