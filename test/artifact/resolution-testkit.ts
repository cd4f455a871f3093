// What the tests of resolution share.
import { base64, tool } from './registration-testkit.ts';

export const TYPES = [
  'Reuse',
  'Build',
  'Fetch',
  'Tie',
  'Specific',
  'Deep',
  'Deeper',
  'Deepest',
  'CircleA',
  'CircleB',
  'Own',
  'Old',
  'List',
  'Plan',
];

export const field = (name: string, type: string) => ({ name, field_type: type, required: false });

export const cwl = (rest = '') =>
  base64(tool('uri: {type: File, outputBinding: {glob: a}}\nsample: string\ncaller: string', rest));
