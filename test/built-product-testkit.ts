// What the tests of the built product share.
import { GREET } from './artifact/production-testkit.ts';
import { base64 } from './artifact/registration-testkit.ts';

export const ENV = {
  IMPORT_SECRET: 'the secret of a nightly import',
  PROVIDER_SECRET: 'the secret at the identity provider',
  LAB_SECRET: 'the secret of a laboratory',
  STANDARD_SECRET: `whsec_${Buffer.from('a standard secret of some length').toString('base64')}`,
  S3_KEY_ID: 'S3RVER',
  S3_SECRET: 'S3RVER',
};

export const FILES: Readonly<Record<string, string>> = {
  'samples.csv': 'id,label\nfrom-csv,a\n',
  'samples.json': '{"result": {"samples": [{"id": "from-json", "label": "b"}]}}',
  'adapter.mjs': 'export default { async *fetch() { yield { id: "from-module", label: "c" }; } };',
  'validator.mjs':
    'export default { validate: ({ data, options }) => (data?.label === options.refused ? [{ message: "the module refuses this label" }] : []) };',
  'triggers.yaml': 'triggers:\n  - {name: included, type: manual, action: {type: ingest, adapter: sheet}}\n',
  'rules.yaml': `name: packaged\nrules:\n  - name: packaged-greet\n    produces: {entity_type: Greeting, match: {sample: "{sample}"}}\n    execute: {cwl_content: ${base64(GREET)}}\n    tags: [packaged]\n`,
};

export const PEOPLE = {
  accountId: 'grace',
  claims: () => ({ sub: 'grace', preferred_username: 'grace', groups: ['scientists'] }),
};
