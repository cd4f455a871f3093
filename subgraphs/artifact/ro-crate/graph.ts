// The nodes of a crate: each once under its id, flat, referring to others by id (RO-Crate 1.1 «RO-Crate
// JSON-LD»).

export interface Ref {
  readonly '@id': string;
}
export type Value = string | number | boolean | Ref;
export type Node = { readonly '@id': string; readonly '@type': string | readonly string[] } & Readonly<
  Record<string, Value | readonly Value[] | undefined>
>;

export const ref = (id: string): Ref => ({ '@id': id });

/** A name within the crate. */
export const local = (kind: string, ...names: readonly string[]): string =>
  `#${kind}-${names.map(encodeURIComponent).join('-')}`;

const idOf = (value: Value): string => (typeof value === 'object' ? value['@id'] : JSON.stringify(value));

/** A single value, or a list without duplicates. */
function merged(before: Node[string], next: Node[string]): Node[string] {
  const all = [before ?? [], next ?? []].flat() as readonly Value[]; // The values are lists or single ones.
  const different = [...new Map(all.map((value) => [idOf(value), value])).values()];
  return different.length === 1 ? different[0] : different;
}

/** Properties that keep the values of both if a node is added twice. */
const MANY: readonly string[] = ['exampleOfWork', 'encodingFormat'];

export class Graph {
  readonly #nodes = new Map<string, Node>();

  /** Adds a node, or new properties of an existing one. */
  add(node: Node): Ref {
    const id = node['@id'];
    const before = this.#nodes.get(id);
    const many =
      before === undefined
        ? {}
        : Object.fromEntries(
            MANY.filter((name) => before[name] !== undefined || node[name] !== undefined).map((name) => [
              name,
              merged(before[name], node[name]),
            ]),
          );
    this.#nodes.set(id, { ...node, ...before, ...many });
    return ref(id);
  }

  get nodes(): readonly Node[] {
    return [...this.#nodes.values()];
  }
}

/** A time as the run crate profiles require it: ISO 8601 with an offset, to the millisecond. */
export const crateTime = (instant: string): string => new Date(instant).toISOString().replace('Z', '+00:00');
