// Answer shapes of single rows that speak a standard's language instead of their component's.
import type { Envelope } from './envelopes.ts';

export interface Dialect {
  /** Names its error schema in OpenAPI. */
  readonly name: string;
  /** The beginning of all its paths: what is refused below it is refused in its shape. */
  readonly under: string;
  readonly envelope: Envelope;
  /** JSON Schema of an answer around its payload's. */
  readonly wrap: (payload: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  readonly error: Readonly<Record<string, unknown>>;
}

/** GA4GH Data Repository Service 1.5: answers stand bare, an error is `{msg, status_code}`. */
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
    required: ['msg', 'status_code'],
    properties: { msg: { type: 'string' }, status_code: { type: 'integer' } },
  },
};
