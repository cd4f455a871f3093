// What the tests of mapping inputs and outputs share.
import { shell } from './production-testkit.ts';

export const field = (name: string, type: string) => ({ name, field_type: type, required: false });

/** Counts the letters of a text file of an entity. */
export const COUNT = shell(
  'wc -c < $(inputs.text.path) | tr -d " " > count.txt',
  'text: File\nname: string',
  [
    'uri: {type: File, outputBinding: {glob: count.txt}}',
    "name: {type: string, outputBinding: {outputEval: '$(inputs.name)'}}",
    "letters: {type: int, outputBinding: {glob: count.txt, loadContents: true, outputEval: '$(parseInt(self[0].contents))'}}",
  ].join('\n'),
);
