// What the tests of identities share.
import { shell } from './production-testkit.ts';

export const field = (name: string, type: string, more: Record<string, unknown> = {}) => ({
  name,
  field_type: type,
  required: false,
  ...more,
});

/** Items by the letters of a word; each with its word. */
export const LETTERS = shell(
  'true',
  'word: string',
  "items: {type: {type: array, items: {type: record, fields: {key: string, word: string}}}, outputBinding: {outputEval: '${return Array.from(inputs.word, function (key) { return {key: key, word: inputs.word}; });}'}}",
);
