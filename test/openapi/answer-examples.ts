// Examples of answers in the OpenAPI description: made of what was answered, and compared with it.
import { type AnswerExamples } from '../../rest-compat/answer-examples.ts';
import type { Answers } from './checked-client.ts';

const REPLACED: readonly (readonly [RegExp, string])[] = [
  [/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/, '2026-01-31T09:30:00.123456Z'],
  [
    /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g,
    '5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a',
  ],
  [/http:\/\/(127\.0\.0\.1|localhost):\d+/g, 'https://cairn.example.org'],
  [/drs:\/\/127\.0\.0\.1:\d+/g, 'drs://cairn.example.org'],
  [/code=sl_[\w-]+/, 'code=sl_once'],
  [/^127\.0\.0\.1$/, '192.0.2.7'],
  [/\b(key|evt|run|prod|plan|rel)_[0-9a-f]{8,}\b/g, '$1_0123456789abcdef01234567'],
  [/^eyJ[\w.-]+$/, 'eyJhbGciOiJFZERTQSJ9.…'],
];

/** Members whose values are secret, or differ each time. */
const GIVEN: Readonly<Record<string, unknown>> = {
  secret: 'cairn_…',
  device_code: '…',
  user_code: 'BCDF-GHJK',
  x: '…',
  y: '…',
  n: '…',
  kid: '2026-01-31-1',
  token: '…',
  refresh_token: 'rt_…',
  latency_ms: 2,
  next_cursor: null,
  cwl_content: 'Y3dsVmVyc2lvbjogdjEuMg…',
  log: '[2026-01-31 09:30:00] INFO [job main] completed success',
};

function text(value: string): string {
  let replaced = value;
  for (const [pattern, by] of REPLACED) replaced = replaced.replace(pattern, by);
  return replaced;
}

/** An answer as an example: of a list the first two, no secret, nothing of this machine. */
function exemplary(value: unknown, key = ''): unknown {
  if (value !== null && Object.hasOwn(GIVEN, key)) return GIVEN[key];
  if (typeof value === 'string') return text(value);
  if (Array.isArray(value)) return value.slice(0, 2).map((item) => exemplary(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, exemplary(member, name)]));
}

/** Of a text the first lines. */
const ofMedia = (value: unknown): unknown =>
  typeof value === 'string' ? text(value.split('\n').slice(0, 3).join('\n')) : exemplary(value);

export const examplesOf = (answers: Answers): AnswerExamples =>
  Object.fromEntries(
    Object.entries(answers).map(([id, statuses]) => [
      id,
      Object.fromEntries(
        Object.entries(statuses).map(([status, medias]) => [
          status,
          Object.fromEntries(Object.entries(medias).map(([type, value]) => [type, ofMedia(value)])),
        ]),
      ),
    ]),
  );

/** The names of an answer's members, at any depth; of the items of a list those of all together. */
export function namesIn(value: unknown, at = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const names = Array.isArray(value)
    ? value.flatMap((item) => namesIn(item, `${at}[]`))
    : Object.entries(value).flatMap(([name, member]) => [
        `${at}.${name}`,
        ...namesIn(member, `${at}.${name}`),
      ]);
  return [...new Set(names)].sort();
}
