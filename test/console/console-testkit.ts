// What the tests of the console share.

export const MARKUP = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';

export const RTL = '\u202eגדול\u202c \u0627\u0644\u0639\u0631\u0628\u064a\u0629';

export const HEBREW = 'גדול';

export const HUGE = 'wide'.repeat(250_000);

export const CONFIG = `workflow:
  triggers:
    - {name: on-change, type: metadata_poll, poll: {entity_type: Biopsy, filter: 'data.age > 70', interval_seconds: 3600}, action: {type: ingest, adapter: sheet}}
    - {name: on-request, type: manual, action: {type: ingest, adapter: sheet}}
  adapters:
    - {name: sheet, type: csv, source: none.csv, entity_type: Biopsy, map: {id: 'row["id"]'}}
`;

export const SCHEMA = {
  name: 'Biopsy',
  version: '1.0.0',
  description: 'A piece of tissue.',
  fields: [
    { name: 'donor', field_type: 'string', required: true, description: 'Who gave it.' },
    { name: 'tissue', field_type: 'enum', values: ['blood', 'liver', 'skin'], required: true },
    { name: 'age', field_type: 'int' },
    { name: 'taken', field_type: 'datetime' },
    { name: 'parent', field_type: 'ref', references: 'Biopsy' },
    { name: 'labels', field_type: 'string', many: true },
    { name: 'more', field_type: 'json' },
  ],
};
