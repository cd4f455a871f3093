// What the tests of directories share.
import { shell } from './production-testkit.ts';

export const field = (name: string, type: string, more: Record<string, unknown> = {}) => ({
  name,
  field_type: type,
  required: false,
  ...more,
});

export const SAMPLE = "sample: {type: string, outputBinding: {outputEval: '$(inputs.sample)'}}";

/** A directory with a file, an empty directory, a link, and a file further down. */
export const MAKE = shell(
  'mkdir -p made/sub/deep made/none; echo $(inputs.sample) > made/name; echo more > made/sub/deep/er; ln -s ../name made/sub/link',
  'sample: string',
  `uri: {type: Directory, outputBinding: {glob: made}}\n${SAMPLE}`,
);

/** Lists its input, with the content of every file. */
export const LIST = shell(
  'cd $(inputs.folder.path) && (basename $PWD; find . | sort; find . -type f | sort | xargs cat) > $(runtime.outdir)/out.txt',
  'folder: Directory\nsample: string',
  `uri: {type: File, outputBinding: {glob: out.txt}}\n${SAMPLE}`,
);
