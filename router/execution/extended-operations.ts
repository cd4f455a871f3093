// Operations over types that follow what is stored: no part of the composition, so that storing never composes or plans anything anew. Each goes whole to the component that has them.
import { type DocumentNode, extendSchema, GraphQLError, type GraphQLSchema, Kind, parse } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Component, SchemaExtension } from '../../platform/component.ts';
import { InvalidDocument } from './invalid-document.ts';
import { compileNamedProjects } from './named-projects.ts';
import { assertValid, type Ground, operationNamed, permissionsOf, prepareOperation, type RouterOperation } from './prepare-operation.ts';
import { rootFields } from './root-fields.ts';

const CACHED = 500;
/** `__typename` is not among them. */
const ASKS_SCHEMA = /__(?:schema|type)\b/;

/** A component's extension as the graph has it. */
interface Extended {
  readonly ground: Ground;
  readonly version: string;
  readonly schema: GraphQLSchema;
  readonly operations: LRUCache<string, RouterOperation>;
}

export class ExtendedOperations {
  readonly #component: Component | undefined;
  readonly #log: Logger;
  readonly #hideSuggestions: boolean;
  #current: Extended | undefined;
  #broken: { readonly ground: Ground; readonly version: string } | undefined;

  constructor(components: Iterable<Component>, log: Logger, hideSuggestions: boolean) {
    this.#component = [...components].find((component) => component.extension !== undefined);
    this.#log = log;
    this.#hideSuggestions = hideSuggestions;
  }

  /** The operation, where the document uses the extension or asks for the whole schema; null for all others. @throws InvalidDocument, and what preparing throws */
  prepare(ground: Ground, source: string, operationName: string | undefined, parseDocument: () => DocumentNode): RouterOperation | null {
    const extension = this.#component?.extension?.();
    if (!extension || !(ASKS_SCHEMA.test(source) || extension.rootFields.some((name) => source.includes(name)))) return null;
    const extended = this.#extended(ground, extension);
    if (!extended) return null;
    const key = `${operationName ?? ''} ${source}`;
    const known = extended.operations.get(key);
    if (known) return known;
    const document = parseDocument();
    const operation = operationNamed(document, operationName);
    const roots = rootFields(document, operation);
    const isTyped = roots.some(({ node }) => extension.rootFields.includes(node.name.value));
    const asksSchema = introspects(document);
    if (!isTyped && !asksSchema) return null;
    assertValid(document, extended.schema, this.#hideSuggestions);
    if (isTyped && asksSchema) throw new InvalidDocument([new GraphQLError(`ask for the schema by a query of its own: ${extension.rootFields.join(', ')} is answered by one component`)]);
    const made: RouterOperation = !isTyped || !this.#component
      ? prepareOperation({ ...ground, composition: { ...ground.composition, schema: extended.schema } }, source, operationName, document)
      : {
        kind: operation.operation, name: operation.name?.value, permissions: permissionsOf(roots, ground.permissions), way: 'direct', introspects: false,
        namedProjects: compileNamedProjects(roots), run: this.#component.prepare(source, operationName),
      };
    extended.operations.set(key, made);
    return made;
  }

  #extended(ground: Ground, extension: SchemaExtension): Extended | undefined {
    const current = this.#current;
    if (current?.ground === ground && current.version === extension.version) return current;
    if (this.#broken?.ground === ground && this.#broken.version === extension.version) return undefined;
    try {
      return (this.#current = { ground, version: extension.version, schema: extendSchema(ground.composition.schema, parse(extension.sdl)), operations: new LRUCache({ max: CACHED }) });
    } catch (err) {
      this.#log.error({ err, component: this.#component?.name }, 'types that follow what is stored do not fit the graph: they are left out');
      this.#broken = { ground, version: extension.version };
      return undefined;
    }
  }
}

/** Whether any selection asks for the schema itself. */
function introspects(document: DocumentNode): boolean {
  return document.definitions.some((d) => (d.kind === Kind.OPERATION_DEFINITION || d.kind === Kind.FRAGMENT_DEFINITION)
    && d.selectionSet.selections.some((node) => node.kind === Kind.FIELD && (node.name.value === '__schema' || node.name.value === '__type')));
}
