// The two types of this example, as input of `createSchema`.

const field = (name: string, type: string, required = false, description = '') => ({
  name,
  field_type: type,
  required,
  ...(description === '' ? {} : { description }),
});

export const VCF = {
  name: 'Vcf',
  version: '1.0.0',
  description: 'A file of variants.',
  fields: [field('uri', 'uri', true), field('sample', 'string', true)],
};

export const VARIANT_STATS = {
  name: 'VariantStats',
  version: '1.0.0',
  description: 'Counts of what is in a VCF file.',
  fields: [
    field('uri', 'uri', true, 'The report of bcftools stats.'),
    field('sample', 'string', true),
    field('targets', 'string', true, 'The chromosomes that were looked at.'),
    field('samples', 'int'),
    field('records', 'int'),
    field('indels', 'int'),
    field('multiallelic_sites', 'int'),
    field('size', 'int'),
    field('sha256', 'string'),
  ],
};
