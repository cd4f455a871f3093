// What brought something about, below what is asked for (docs/reference/metadata.md#why).
import {
  choice,
  instant,
  integer,
  optionalInteger,
  PAGE,
  requiredText,
  text,
  type Values,
} from '../parameters.ts';
import { eventKey, fieldKey, nodeKey, versionKey } from '../../platform/causal-links.ts';
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
  limit: PAGE.limit,
  cursor: PAGE.cursor,
  as_of: instant('What the chain was at this time: what had come about, as it was.'),
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

/** Below a path whose last parameter names the subject. */
function whyBelow(
  path: string,
  summary: string,
  {
    name,
    subject,
    what,
  }: { readonly name: string; readonly subject: (id: string) => string; readonly what: string },
): RestRoute {
  const parameter = /\{(\w+)\}\/why$/.exec(path)?.[1] ?? '';
  // the path has it
  const idIn = (params: Readonly<Record<string, string>>): string => params[parameter] ?? '';
  return route({
    method: 'GET',
    path,
    summary,
    operation: `query ${name}${DOCUMENT}`,
    pick: 'why',
    of: 'gateway',
    query: CHAIN,
    variables: ({ params, query }) => variablesOf(subject(idIn(params)), query),
    absent: (params) => `${what} not found: ${idIn(params)}`,
  });
}

export const eventWhyRows: readonly RestRoute[] = [
  whyBelow('/events/{time}/why', 'Tells what a provenance event was written for, or what it brought about.', {
    name: 'whyEvent',
    subject: eventKey,
    what: 'event',
  }),
];

export const requestWhyRows: readonly RestRoute[] = [
  whyBelow('/audit/{request_id}/why', 'Tells what a request brought about, with `direction=forward`.', {
    name: 'whyRequest',
    subject: (id) => nodeKey('request', id),
    what: 'request',
  }),
];

export const runWhyRows: readonly RestRoute[] = [
  whyBelow('/runs/{run_id}/why', 'Tells what fired a run, or what it brought about.', {
    name: 'whyRun',
    subject: (id) => nodeKey('run', id),
    what: 'run',
  }),
];

export const artifactWhyRows: readonly RestRoute[] = [
  whyBelow(
    '/productions/{id}/why',
    'Tells what a production was asked for by and made with, or what it brought about.',
    { name: 'whyProduction', subject: (id) => nodeKey('production', id), what: 'production' },
  ),
  whyBelow(
    '/rules/{name}/why',
    'Tells what registered a version of a rule, `<name>@<version>`, and what its workflow consists of, or what was made by it.',
    { name: 'whyRule', subject: (id) => nodeKey('rule', id), what: 'rule' },
  ),
  whyBelow('/files/{sha256}/why', 'Tells what stored a file, or what was made with it.', {
    name: 'whyFile',
    subject: (hash) => nodeKey('file', `sha256:${hash}`),
    what: 'file',
  }),
];
