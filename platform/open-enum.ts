// Enums whose words are judged elsewhere: by name they are enums, and they take any text.
import {
  type ConstValueNode,
  GraphQLEnumType,
  type GraphQLInputType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLString,
  isListType,
  isNonNullType,
  Kind,
  type ValueNode,
} from 'graphql';

/**
 * An enum of words that come and go (docs/reference/metadata.md#typed-enums): a word that another process knows
 * of already is passed on, and so is a text in quotes.
 */
export class OpenEnum extends GraphQLEnumType {
  override serialize(value: unknown): string | null | undefined {
    return typeof value === 'string' ? value : super.serialize(value);
  }

  override parseValue(value: unknown): unknown {
    return typeof value === 'string' ? value : super.parseValue(value);
  }

  override parseLiteral(node: ConstValueNode | ValueNode, variables: Record<string, unknown>): unknown {
    return node.kind === Kind.ENUM || node.kind === Kind.STRING
      ? node.value
      : super.parseLiteral(node, variables);
  }

  /** What compiled operations look values up by. */
  override getValue(name: string): ReturnType<GraphQLEnumType['getValue']> {
    const named = { name, value: name, description: null, deprecationReason: null, extensions: {} };
    return super.getValue(name) ?? { ...named, astNode: undefined };
  }
}

/** The type with `String` in the place of such an enum. */
export function textInPlace(type: GraphQLInputType): GraphQLInputType {
  if (isNonNullType(type)) return new GraphQLNonNull(textInPlace(type.ofType));
  if (isListType(type)) return new GraphQLList(textInPlace(type.ofType));
  return type instanceof OpenEnum ? GraphQLString : type;
}
