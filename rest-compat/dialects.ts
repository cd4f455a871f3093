// Response formats of rows that follow a standard instead of their component's format.
import type { Envelope } from './envelopes.ts';

export interface Dialect {
  /** The name of its error schema in OpenAPI. */
  readonly name: string;
  /** The prefix of all its paths: errors below it have its format. */
  readonly under: string;
  readonly envelope: Envelope;
  /** JSON Schema of an answer around its payload's. */
  readonly wrap: (payload: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  readonly error: Readonly<Record<string, unknown>>;
}

/** GA4GH Data Repository Service 1.5: answers without an envelope, errors as `{msg, status_code}`. */
export const drsDialect: Dialect = {
  name: 'Drs',
  under: '/ga4gh/drs/v1/',
  envelope: {
    hasWarnings: false,
    success: (payload) => payload,
    failure: (error) => JSON.stringify({ msg: error.message, status_code: error.status }),
  },
  wrap: (payload) => payload,
  error: {
    type: 'object',
    examples: [{ msg: 'no DRS object: file:1', status_code: 404 }],
    required: ['msg', 'status_code'],
    properties: { msg: { type: 'string' }, status_code: { type: 'integer' } },
  },
};
