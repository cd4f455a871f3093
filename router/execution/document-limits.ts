// Limits on the size of clients' documents, counted on the syntax tree before validation and planning, whose
// cost grows much faster.
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { assertStorableLiterals } from '../../platform/literal-faults.ts';
import { parseDocument } from '../../platform/parse-document.ts';
import { InvalidDocument } from './invalid-document.ts';

export interface DocumentLimits {
  /** Tokens of the text. */
  readonly tokens: number;
  /** Depth of nested fields, including fragments. */
  readonly depth: number;
  /** Root fields of one operation, including fragments. */
  readonly rootFields: number;
  /** Fields with an alias in the whole document. */
  readonly aliases: number;
  /** Directives in the whole document. */
  readonly directives: number;
  /** Fields of one operation; those of a fragment count each time it is spread. */
  readonly fields: number;
}

/** Enough for the introspection query of every known tool, and for several screens of data. */
export const DEFAULT_DOCUMENT_LIMITS: DocumentLimits = {
  tokens: 5000,
  depth: 20,
  rootFields: 20,
  aliases: 100,
  directives: 100,
  fields: 600,
};

interface Size {
  readonly fields: number;
  readonly depth: number;
  readonly roots: number;
}

/** Sums sizes without walking a fragment twice; a recursive fragment counts as infinite. */
class Measure {
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly #known = new Map<string, Size>();

  constructor(document: DocumentNode) {
    this.#fragments = new Map(
      document.definitions.flatMap((d) => (d.kind === Kind.FRAGMENT_DEFINITION ? [[d.name.value, d]] : [])),
    );
  }

  #spread(name: string): Size {
    const known = this.#known.get(name);
    if (known) return known;
    const fragment = this.#fragments.get(name);
    if (!fragment) return { fields: 0, depth: 0, roots: 0 }; // validation will report it
    this.#known.set(name, { fields: Infinity, depth: Infinity, roots: Infinity });
    const size = this.of(fragment.selectionSet);
    this.#known.set(name, size);
    return size;
  }

  of(set: SelectionSetNode): Size {
    let [fields, depth, roots] = [0, 0, 0];
    for (const node of set.selections) {
      if (node.kind === Kind.FIELD) {
        const inside = node.selectionSet ? this.of(node.selectionSet) : { fields: 0, depth: 0 };
        fields += 1 + inside.fields;
        depth = Math.max(depth, 1 + inside.depth);
        roots += 1;
      } else {
        const inside =
          node.kind === Kind.INLINE_FRAGMENT ? this.of(node.selectionSet) : this.#spread(node.name.value);
        fields += inside.fields;
        depth = Math.max(depth, inside.depth);
        roots += inside.roots;
      }
    }
    return { fields, depth, roots };
  }
}

/**
 * Fields of the largest operation of a document, those of a fragment counted each time it is spread; what asks
 * for the schema needs no plan and does not count.
 */
export function sizeOf(document: DocumentNode): number {
  const measure = new Measure(document);
  return Math.max(
    0,
    ...document.definitions.map((d) =>
      d.kind === Kind.OPERATION_DEFINITION ? measure.of(withoutSchema(d.selectionSet)).fields : 0,
    ),
  );
}

const withoutSchema = (set: SelectionSetNode): SelectionSetNode => ({
  ...set,
  selections: set.selections.filter(
    (node) => node.kind !== Kind.FIELD || !['__schema', '__type'].includes(node.name.value),
  ),
});

interface Counts {
  aliases: number;
  directives: number;
}

/** GraphQL reserves names with two leading underscores; as response keys some would reach a prototype. */
function assertName(name: string): void {
  if (name.startsWith('__'))
    refuse(`the name "${name}" is reserved: only introspection begins with two underscores`);
}

function countIn(set: SelectionSetNode, counts: Counts): void {
  for (const node of set.selections) {
    counts.directives += node.directives?.length ?? 0;
    if (node.kind === Kind.FIELD && node.alias) {
      counts.aliases++;
      assertName(node.alias.value);
    }
    if (node.kind !== Kind.FRAGMENT_SPREAD && node.selectionSet) countIn(node.selectionSet, counts);
  }
}

function refuse(message: string): never {
  throw new InvalidDocument([new GraphQLError(message)]);
}

const assertAtMost = (what: string, found: number, most: number): void => {
  if (found > most) refuse(`the document has too many ${what}: at most ${most} are allowed`);
};

const assertNames = (operation: OperationDefinitionNode): void => {
  if (operation.name) assertName(operation.name.value);
  for (const { variable } of operation.variableDefinitions ?? []) assertName(variable.name.value);
};

/**
 * @throws InvalidDocument if the text does not parse or exceeds a limit; DomainError `validation_failed` for
 * literals that cannot be stored exactly
 */
export function parseWithin(source: string, limits: DocumentLimits): DocumentNode {
  const document = parseTokens(source, limits.tokens);
  assertStorableLiterals(source, document);
  const counts: Counts = { aliases: 0, directives: 0 };
  const measure = new Measure(document);
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION && definition.kind !== Kind.FRAGMENT_DEFINITION)
      continue;
    counts.directives += definition.directives?.length ?? 0;
    countIn(definition.selectionSet, counts);
    if (definition.kind === Kind.FRAGMENT_DEFINITION) assertName(definition.name.value);
    else assertNames(definition);
    const size = measure.of(definition.selectionSet);
    if (size.depth > limits.depth)
      refuse(`the document is nested too deep: at most ${limits.depth} levels are allowed`);
    if (definition.kind === Kind.OPERATION_DEFINITION)
      assertAtMost('root fields', size.roots, limits.rootFields);
    assertAtMost('fields', size.fields, limits.fields);
  }
  assertAtMost('aliases', counts.aliases, limits.aliases);
  assertAtMost('directives', counts.directives, limits.directives);
  return document;
}

function parseTokens(source: string, maxTokens: number): DocumentNode {
  try {
    return parseDocument(source, maxTokens);
  } catch (thrown) {
    if (thrown instanceof GraphQLError) throw new InvalidDocument([thrown]);
    throw thrown;
  }
}
