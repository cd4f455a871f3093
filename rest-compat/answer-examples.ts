// Examples of answers in the OpenAPI description: what a server has answered, put to each operation by its id.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../platform/project-root.ts';

type Json = Readonly<Record<string, unknown>>;

/** By operation, status and media type: test/openapi/every-operation.test.ts writes them, and holds them against the answers. */
export type AnswerExamples = Readonly<
  Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>
>;

export const EXAMPLES_FILE = path.join(projectRoot, 'rest-compat', 'answer-examples.json');

export const readExamples = (): AnswerExamples =>
  // a file of ours, compared with answers by its test
  JSON.parse(readFileSync(EXAMPLES_FILE, 'utf8')) as AnswerExamples;

const mapped = (of: Json, change: (value: Json, key: string) => unknown): Json =>
  // descriptions have objects at these levels
  Object.fromEntries(Object.entries(of).map(([key, value]) => [key, change(value as Json, key)]));

/** Adds examples to the paths of a description. */
export function withAnswerExamples(paths: Json): Json {
  const examples = readExamples();
  return mapped(paths, (methods) =>
    mapped(methods, (operation) => {
      const known = examples[String(operation['operationId'])];
      if (known === undefined) return operation;
      // each operation has responses
      const responses = mapped(operation['responses'] as Json, (response, status) => {
        const { content } = response;
        if (typeof content !== 'object' || content === null) return response;
        // media types are objects
        const exemplified = mapped(content as Json, (media, type) => {
          const example = known[status]?.[type];
          return example === undefined ? media : { ...media, example };
        });
        return { ...response, content: exemplified };
      });
      return { ...operation, responses };
    }),
  );
}
