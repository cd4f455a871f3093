// What brought something about, below what is asked for (docs/reference/metadata.md#why).
import {
  choice,
  instant,
  integer,
  optionalInteger,
  pageNumber,
  PAGE,
  requiredText,
  text,
  type Values,
} from '../parameters.ts';
import { fieldKey, nodeKey, versionKey } from '../../platform/causal-links.ts';
import { route, type RestRoute } from '../route.ts';

const DOCUMENT = `($subject: ID!, $direction: CausalDirection!, $depth: Int!, $first: Int!, $after: String, $asOf: DateTime) {
  why(subject: $subject, direction: $direction, depth: $depth, first: $first, after: $after, asOf: $asOf) {
    nodes { key kind name at actor depth details } links { cause effect kind } next_cursor: nextCursor } }`;

const CHAIN = {
  direction: choice(
    ['backward', 'forward'],
    'backward',
    'To what brought it about, or to what it brought about.',
  ),
  depth: integer({ min: 1, max: 50, default: 5 }, 'How many links to follow.'),
  limit: pageNumber({ minimum: 1, maximum: 1000, default: 100 }, PAGE.limit.description),
  cursor: PAGE.cursor,
  as_of: instant('Only what came about until this time.'),
};

const variablesOf = (
  subject: string,
  { direction, depth, limit, cursor, as_of: asOf }: Values<typeof CHAIN>,
): Record<string, unknown> => ({
  subject,
  direction: direction.toUpperCase(),
  depth,
  first: limit,
  after: cursor,
  asOf,
});

export const whyRows: readonly RestRoute[] = [
  route({
    method: 'GET',
    path: '/why',
    summary: 'Tells what brought something about, or what it brought about.',
    operation: `query why${DOCUMENT}`,
    pick: 'why',
    query: {
      subject: requiredText(
        'What is asked about, such as `entity:sample-1`, `field:age:sample-1` or `run:<id>`.',
      ),
      ...CHAIN,
    },
    variables: ({ query: { subject, ...query } }) => variablesOf(subject, query),
    absent: () => 'subject not found',
  }),
];

export const entityWhyRows: readonly RestRoute[] = [
  route({
    method: 'GET',
    path: '/entities/{entity_id}/why',
    summary:
      'Tells what brought an entity, a version of it or a value of it about, or what it brought about.',
    operation: `query whyEntity${DOCUMENT}`,
    pick: 'why',
    of: 'gateway',
    query: {
      field: text('Only the events that set this field, and what led to them.'),
      version: optionalInteger({ min: 1 }, 'Only this version.'),
      ...CHAIN,
    },
    variables: ({ params: { entity_id: id }, query: { field, version, ...query } }) =>
      variablesOf(subjectOf(id, field, version), query),
    absent: ({ entity_id: id }) => `entity not found: ${id}`,
  }),
];

function subjectOf(id: string, field: string | null, version: number | null): string {
  if (field !== null) return fieldKey({ id, field });
  return version === null ? nodeKey('entity', id) : versionKey({ id, version });
}

export const runWhyRows: readonly RestRoute[] = [
  route({
    method: 'GET',
    path: '/runs/{run_id}/why',
    summary: 'Tells what fired a run, or what it brought about.',
    operation: `query whyRun${DOCUMENT}`,
    pick: 'why',
    of: 'gateway',
    query: CHAIN,
    variables: ({ params, query }) => variablesOf(nodeKey('run', params.run_id), query),
    absent: ({ run_id: id }) => `run not found: ${id}`,
  }),
];

export const productionWhyRows: readonly RestRoute[] = [
  route({
    method: 'GET',
    path: '/productions/{id}/why',
    summary: 'Tells what a production was asked for by and made with, or what it brought about.',
    operation: `query whyProduction${DOCUMENT}`,
    pick: 'why',
    of: 'gateway',
    query: CHAIN,
    variables: ({ params, query }) => variablesOf(nodeKey('production', params.id), query),
    absent: ({ id }) => `production not found: ${id}`,
  }),
];
