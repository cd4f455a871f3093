// Which root fields one subgraph can answer with all that it has below them: their operations need no plan.
import {
  type ConstDirectiveNode,
  type EnumTypeDefinitionNode,
  type FieldDefinitionNode,
  Kind,
  type ObjectTypeDefinitionNode,
  parse,
  valueFromASTUntyped,
} from 'graphql';

const ROOTS: ReadonlySet<string> = new Set(['Query', 'Mutation']);

/** By which a subgraph declares a field that it cannot answer by itself, or that another one answers for it. */
const DEPENDENT = ['requires', 'provides', 'external', 'usedOverridden', 'contextArguments'];

type Arguments = Readonly<Record<string, unknown>>;

const argumentsOf = (directive: ConstDirectiveNode): Arguments =>
  Object.fromEntries(
    (directive.arguments ?? []).map(({ name, value }) => [name.value, valueFromASTUntyped(value)]),
  );

const named = (directives: readonly ConstDirectiveNode[] | undefined, name: string): readonly Arguments[] =>
  (directives ?? []).filter((one) => one.name.value === name).map(argumentsOf);

/** `METADATA` → `metadata`. */
const graphNames = ({ values = [] }: EnumTypeDefinitionNode): ReadonlyMap<unknown, string> =>
  new Map(
    values.flatMap(({ name, directives }): [string, string][] => {
      const own = named(directives, 'join__graph')[0]?.['name'];
      return typeof own === 'string' ? [[name.value, own]] : [];
    }),
  );

/** The subgraphs with something that they do not answer alone; undefined where nobody can tell. */
function dependentGraphs(types: readonly ObjectLike[]): ReadonlySet<unknown> | undefined {
  const found = new Set<unknown>();
  for (const type of types) {
    for (const join of named(type.directives, 'join__type'))
      if (join['isInterfaceObject'] === true) found.add(join['graph']);
    for (const field of type.fields ?? [])
      for (const join of named(field.directives, 'join__field')) {
        if (join['override'] !== undefined) return undefined; // one answers for another
        if (DEPENDENT.some((name) => join[name] !== undefined)) found.add(join['graph']);
      }
  }
  return found;
}

interface ObjectLike {
  readonly directives?: readonly ConstDirectiveNode[];
  readonly fields?: readonly { readonly directives?: readonly ConstDirectiveNode[] }[];
}

function ownerOf(type: ObjectTypeDefinitionNode, field: FieldDefinitionNode): unknown {
  const joins = named(field.directives, 'join__field');
  // every subgraph that has the type has the field, where none is named
  const graphs = (joins.length > 0 ? joins : named(type.directives, 'join__type')).map(({ graph }) => graph);
  return graphs.length === 1 ? graphs[0] : undefined;
}

/** @param supergraphSdl as it was composed */
export function soleOwners(supergraphSdl: string): ReadonlyMap<string, string> {
  const { definitions } = parse(supergraphSdl, { noLocation: true });
  const types = definitions.filter(
    (one) =>
      one.kind === Kind.OBJECT_TYPE_DEFINITION ||
      one.kind === Kind.INTERFACE_TYPE_DEFINITION ||
      one.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION,
  );
  const graphs = definitions.find(
    (one) => one.kind === Kind.ENUM_TYPE_DEFINITION && one.name.value === 'join__Graph',
  );
  const dependent = dependentGraphs(types);
  if (dependent === undefined || graphs?.kind !== Kind.ENUM_TYPE_DEFINITION) return new Map();
  const names = graphNames(graphs);
  const roots = types
    .filter((one) => one.kind === Kind.OBJECT_TYPE_DEFINITION)
    .filter(({ name }) => ROOTS.has(name.value));
  return new Map(
    roots.flatMap((type) =>
      (type.fields ?? []).flatMap((field): [string, string][] => {
        const owner = ownerOf(type, field);
        const name = names.get(owner);
        return name === undefined || dependent.has(owner)
          ? []
          : [[`${type.name.value}.${field.name.value}`, name]];
      }),
    ),
  );
}
