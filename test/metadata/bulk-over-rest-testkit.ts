// What the tests of bulk loads share.

export const BULK = '/api/v1/metadata/ingest/bulk';

export const LINES = { 'content-type': 'application/x-ndjson' };

export const lines = (rows: readonly unknown[]): string =>
  rows.map((row) => (typeof row === 'string' ? row : JSON.stringify(row))).join('\n');
