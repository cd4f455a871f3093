// The form of a rule and the definition that it stands for.
import { expect, test } from 'vitest';
import { definitionOf, draftOf, emptyDraft } from '../../console/views/rules/rule-draft.ts';
import { RULE } from './console-testkit.ts';

const WHOLE = {
  name: 'align',
  description: 'Reads, aligned: größer.',
  scope: 'global',
  tags: ['reads'],
  reuse: 'produced',
  produces: [
    { entity_type: 'Bam', from_output: 'bam', match: { sample: '{sample}', year: 2026, code: '007' } },
    { entity_type: 'Index', from_output: 'items', array_mode: 'one_per_item' },
  ],
  requires: [{ ref: 'Sample(id={sample})' }, { ref: 'Genome' }],
  execute: { cwl_url: 'https://workflows.example.org/align.cwl' },
};

test('a definition that was read into the form is the same when it comes out', () => {
  expect(definitionOf(draftOf(WHOLE, 'user:a'))).toEqual(WHOLE);
  expect(definitionOf(draftOf(RULE, 'user:a'))).toEqual({ ...RULE, scope: 'global' });
});

test('texts that look like numbers stay texts where they were, and a value may have an equals sign', () => {
  const match = { a: '1', b: 1, c: 'x=y', d: 'true', e: false, f: '"q"', g: [1] };
  const definition = { ...RULE, scope: 'global', produces: { entity_type: 'Bam', match } };
  expect(definitionOf(draftOf(definition, 'global'))).toEqual(definition);
});

test('an empty form has what the server asks for, and nothing else', () => {
  expect(definitionOf(emptyDraft('user:a'))).toEqual({
    name: '',
    scope: 'user:a',
    produces: { entity_type: '' },
    execute: { cwl_content: '' },
  });
});
