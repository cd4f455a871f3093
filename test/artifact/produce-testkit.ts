// What the tests of productions on request share.

export const MATCH = { produces: { entity_type: 'Greeting', match: { sample: '{sample}' } } };

export const greeting = (sample: string, more: Record<string, unknown> = {}) => ({
  entity_type: 'Greeting',
  criteria: { sample },
  ...more,
});
