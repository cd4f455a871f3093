// Generates random documents for any schema: fields, aliases, arguments, fragments on every overlapping type.
import { fc } from '@fast-check/vitest';
import {
  doTypesOverlap,
  getNamedType,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  isCompositeType,
  isRequiredArgument,
  isUnionType,
} from 'graphql';

type Draw = fc.GeneratorValue;
type Literals = Readonly<Record<string, readonly string[]>>;

const DEEPEST = 4;

export class RandomDocument {
  readonly #draw: Draw;
  readonly #schema: GraphQLSchema;
  readonly #literals: Literals;
  readonly #fragments: string[] = [];
  #names = 0;
  #left = 20;

  constructor(draw: Draw, schema: GraphQLSchema, literals: Literals) {
    this.#draw = draw;
    this.#schema = schema;
    this.#literals = literals;
  }

  text(): string {
    const query = this.#schema.getQueryType();
    return query ? [this.#set(query, DEEPEST), ...this.#fragments].join(' ') : '';
  }

  #of<T>(list: readonly T[]): T {
    return list[this.#draw(fc.nat, { max: list.length - 1 })] as T; // never empty
  }

  #set(type: GraphQLCompositeType, depth: number): string {
    const count = 1 + this.#draw(fc.nat, { max: 3 });
    return `{ ${Array.from({ length: count }, () => this.#selection(type, depth)).join(' ')} }`;
  }

  #selection(type: GraphQLCompositeType, depth: number): string {
    const kind = this.#draw(fc.nat, { max: 9 });
    // a subgraph's root may have another name, which the stock gateway takes for the type of the answer
    if ((kind === 0 && type !== this.#schema.getQueryType()) || this.#left <= 0) return 't: __typename';
    if (kind < 4 || isUnionType(type)) return this.#fragment(type, depth);
    const fields = Object.values(type.getFields()).filter(
      (field) => depth > 0 || !isCompositeType(getNamedType(field.type)),
    );
    return fields.length === 0 ? '__typename' : this.#field(this.#of(fields), depth);
  }

  /** On another overlapping type, if there is one: inline or named. */
  #fragment(type: GraphQLCompositeType, depth: number): string {
    this.#left--;
    const overlapping = Object.values(this.#schema.getTypeMap()).filter(
      (one) => isCompositeType(one) && !one.name.startsWith('__') && doTypesOverlap(this.#schema, one, type),
    ) as GraphQLCompositeType[]; // The filter ensures it.
    const inner = this.#of(overlapping);
    const set = this.#set(inner, depth);
    if (this.#draw(fc.boolean)) return `... on ${inner.name} ${set}`;
    const name = `F${this.#names++}`;
    this.#fragments.push(`fragment ${name} on ${inner.name} ${set}`);
    return `...${name}`;
  }

  #field(field: GraphQLField<unknown, unknown>, depth: number): string {
    this.#left--;
    const args = field.args.flatMap((arg) => {
      const literals = this.#literals[arg.name] ?? [];
      if (literals.length === 0 || !(isRequiredArgument(arg) || this.#draw(fc.boolean))) return [];
      return [`${arg.name}: ${this.#of(literals)}`];
    });
    // fields of one name may have different types: aliases separate them
    const alias = `a${this.#names++}: `;
    const inner = getNamedType(field.type);
    const below = isCompositeType(inner) ? ` ${this.#set(inner, depth - 1)}` : '';
    return `${alias}${field.name}${args.length > 0 ? `(${args.join(', ')})` : ''}${below}`;
  }
}
