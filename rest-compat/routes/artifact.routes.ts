// The artifact component's REST rows (docs/reference/artifact.md#rest-endpoints): each at the component's
// root and under /api/v1.
import { RULE_DOCUMENT, type SelectedRule } from '../../platform/documents.ts';
import { badRequest, invalid } from '../../platform/errors.ts';
import { AS_OF, flag, optionalChoice, PAGE, requiredText, text } from '../parameters.ts';
import { objectBody, route, type RestRoute } from '../route.ts';
import { cacheRows } from './artifact-cache.routes.ts';
import { artifactDiffRows } from './differences.routes.ts';
import { productionRows, RESOLVED } from './artifact-productions.routes.ts';
import { stalenessRows } from './staleness.routes.ts';
import { uploadRows } from './uploads.routes.ts';
import { fileRows } from './stored-files.routes.ts';
import { artifactWhyRows } from './why.routes.ts';
import { bodyText, criteriaOf, optionalText, preferredReuse, reuseOf } from './artifact-request.ts';
import { DEFINITION_SCHEMA, OPTIONAL_TEXT, RULE_SCHEMA, TEXT, VIOLATION_SCHEMA } from './artifact-schemas.ts';

const { selection: RULE, shape: withDefinition } = RULE_DOCUMENT;

interface Registration {
  readonly rule: SelectedRule | null;
  readonly is_valid: boolean;
  readonly violations: readonly unknown[];
}

const replaceOf = (sent: unknown): boolean => {
  const replace = sent ?? true;
  if (typeof replace !== 'boolean') throw invalid('replace must be true or false');
  return replace;
};

const rows: readonly RestRoute[] = [
  route({
    method: 'POST',
    path: '/rules',
    summary:
      'Registers a rule, or a new version of a rule, after validating its workflow and output mapping.',
    operation: `mutation RegisterRule($definition: JSON!, $replace: Boolean!, $dryRun: Boolean!) {
      registerRule(definition: $definition, replace: $replace, dryRun: $dryRun) {
        rule { ${RULE} } is_valid: isValid
        violations { check output output_type: outputType entity_type: entityType field expected_type: expectedType message }
      }
    }`,
    pick: 'registerRule',
    query: { dry_run: flag(false, 'Only validate the rule: return every violation and register nothing.') },
    body: 'required',
    bodySchema: {
      type: 'object',
      examples: [
        {
          name: 'align',
          description: 'Aligns the reads of a sample.',
          produces: { entity_type: 'Alignment', from_output: 'bam', match: { sample: '{sample}' } },
          requires: [{ ref: 'Sample(id={sample})' }],
          execute: { cwl_url: 'https://workflows.example.org/align.cwl' },
        },
      ],
      required: ['name', 'produces', 'execute'],
      properties: {
        ...DEFINITION_SCHEMA,
        replace: {
          type: ['boolean', 'null'],
          default: true,
          description: 'Whether the new version becomes the active version.',
        },
      },
    },
    passesWholeBody: true,
    variables({ body, query }) {
      const { replace, ...definition } = objectBody(body);
      return { definition, replace: replaceOf(replace), dryRun: query.dry_run };
    },
    status: ({ rule }: Registration) => (rule === null ? 200 : 201),
    successStatus: 201,
    otherStatuses: [200],
    shape: ({ rule, is_valid: isValid, violations }: Registration) =>
      rule === null ? { dry_run: true, valid: isValid, violations } : withDefinition(rule),
    responseSchema: {
      anyOf: [
        RULE_SCHEMA,
        {
          type: 'object',
          required: ['dry_run', 'valid', 'violations'],
          properties: {
            dry_run: { const: true },
            valid: { type: 'boolean' },
            violations: { type: 'array', items: VIOLATION_SCHEMA },
          },
        },
      ],
    },
  }),
  route({
    method: 'PATCH',
    path: '/rules/{name}',
    summary: 'Deprecates a rule. A deprecated rule is no longer used; its record is kept.',
    operation: `mutation DeprecateRule($name: ID!, $note: String!) { deprecateRule(name: $name, note: $note) { ${RULE} } }`,
    pick: 'deprecateRule',
    body: 'required',
    bodySchema: {
      type: 'object',
      examples: [{ status: 'deprecated', deprecation_note: 'replaced by align-v2' }],
      required: ['status', 'deprecation_note'],
      properties: { status: { const: 'deprecated' }, deprecation_note: TEXT },
    },
    passesWholeBody: true,
    variables({ params, body }) {
      // the operation validates: a caller that may not write the rule must not learn its faults
      const { status, deprecation_note: note, ...others } = objectBody(body);
      const isSound = status === 'deprecated' && typeof note === 'string' && Object.keys(others).length === 0;
      return { name: params.name, note: isSound ? note : '' };
    },
    responseSchema: RULE_SCHEMA,
    shape: withDefinition,
  }),
  route({
    method: 'GET',
    path: '/resolve',
    summary:
      'Returns how an entity can be obtained: by reuse, fetch or build. Every other parameter is a field of the entity. `Prefer: reuse=fresh` reuses no stale results.',
    operation: `query ResolveArtifact($entityType: String!, $criteria: JSON!, $rule: ID, $reuse: ArtifactReuse!, $asOf: DateTime) {
      resolveArtifact(entityType: $entityType, criteria: $criteria, rule: $rule, reuse: $reuse, asOf: $asOf) {
        ${RESOLVED}
      }
    }`,
    pick: 'resolveArtifact',
    takesAny: true,
    query: {
      entity_type: requiredText('The entity type.'),
      rule: text('`name` or `name@version`: the only rule that may make it.'),
      ...AS_OF,
    },
    variables: ({ query, rest, header }) => ({
      entityType: query.entity_type,
      rule: query.rule,
      asOf: query.as_of,
      reuse: preferredReuse(header('prefer')),
      criteria: criteriaOf(rest),
    }),
  }),
  route({
    method: 'POST',
    path: '/resolve_all',
    summary: 'Lists the stored, available entities of a type that match. Never starts a production.',
    operation: `query ResolveAll($entityType: String!, $partialSpec: JSON!, $reuse: ArtifactReuse!, $limit: Int!, $cursor: String, $asOf: DateTime) {
      resolveAll(entityType: $entityType, partialSpec: $partialSpec, reuse: $reuse, limit: $limit, cursor: $cursor, asOf: $asOf) {
        entity_type: entityType partial_spec: partialSpec entities { id uri fields } cursor total
      }
    }`,
    pick: 'resolveAll',
    body: 'required',
    bodySchema: {
      type: 'object',
      examples: [{ entity_type: 'Alignment', partial_spec: { sample: 'sample:HG00096' }, limit: 100 }],
      required: ['entity_type'],
      properties: {
        entity_type: TEXT,
        partial_spec: { type: ['object', 'null'] },
        reuse: {
          enum: ['any', 'fresh', null],
          description:
            'Which entities are listed: all that match (the default), or those that are not stale.',
        },
        limit: { type: ['integer', 'null'], minimum: 1, maximum: 1000, default: 100 },
        cursor: OPTIONAL_TEXT,
        as_of: { ...OPTIONAL_TEXT, format: 'date-time' },
      },
    },
    variables({ body }) {
      const sent = objectBody(body);
      const { partial_spec: partialSpec, cursor = null } = sent;
      const limit = sent['limit'] ?? 100;
      if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 1 || limit > 1000)
        throw badRequest('limit must be an integer from 1 to 1000');
      if (cursor !== null && typeof cursor !== 'string')
        throw badRequest('cursor does not come from this list');
      return {
        entityType: bodyText(sent, 'entity_type'),
        partialSpec: partialSpec ?? {},
        reuse: reuseOf(sent['reuse'] ?? 'any'),
        limit,
        cursor,
        asOf: optionalText(sent, 'as_of'),
      };
    },
  }),
  route({
    method: 'GET',
    path: '/rules',
    summary: 'Lists production rules with all their versions, ordered by name and version.',
    operation: `query ListRules($status: RuleStatus, $name: String, $scope: String, $project: String, $limit: Int!, $offset: Int!, $cursor: String, $asOf: DateTime) {
      rules(status: $status, name: $name, scope: $scope, project: $project, limit: $limit, offset: $offset, cursor: $cursor, asOf: $asOf) { rules { ${RULE} } total next_cursor: nextCursor }
    }`,
    pick: 'rules',
    query: {
      ...PAGE,
      status: optionalChoice(['active', 'superseded', 'deprecated'], 'Only versions with this status.'),
      name: text('Only versions of the rule with this name.'),
      scope: text('Only rules of this scope: `global` or `user:<id>`.'),
      project: text(
        'Only rules that can make something of this project: those whose `match` names no other one.',
      ),
      ...AS_OF,
    },
    variables: ({ query: { as_of: asOf, ...query } }) => ({ asOf, ...query }),
    responseSchema: {
      type: 'object',
      required: ['rules', 'total', 'next_cursor'],
      properties: {
        rules: { type: 'array', items: RULE_SCHEMA },
        total: { type: 'integer' },
        next_cursor: OPTIONAL_TEXT,
      },
    },
    shape: ({ rules, ...page }: { readonly rules: readonly SelectedRule[] }) => ({
      rules: rules.map(withDefinition),
      ...page,
    }),
  }),
  route({
    method: 'GET',
    path: '/rules/{name}',
    summary: 'Returns one rule: the version `name@version`, or the active version of a plain name.',
    operation: `query GetRule($name: ID!, $asOf: DateTime) { rule(name: $name, asOf: $asOf) { ${RULE} } }`,
    pick: 'rule',
    query: AS_OF,
    variables: ({ params, query }) => ({ name: params.name, asOf: query.as_of }),
    responseSchema: RULE_SCHEMA,
    shape: withDefinition,
    absent: ({ name }) => `rule not found: ${name}`,
  }),
];

export const artifactRows: readonly RestRoute[] = [
  ...rows,
  ...productionRows,
  ...stalenessRows,
  ...cacheRows,
  ...fileRows,
  ...uploadRows,
  ...artifactWhyRows,
  ...artifactDiffRows,
].flatMap((row) => [row, { ...row, path: `/api/v1${row.path}`, isAlias: true }]);
