// Follows the extension of a component in another process change by change, so that the cost does not depend
// on the number of types.
import { createHash } from 'node:crypto';
import { waitAtMost } from '../../platform/wait-at-most.ts';
import type { PreparedOperation, SchemaExtension, SchemaParts } from '../../platform/component.ts';
import type { Caller } from '../../platform/identity.ts';

/** The root field with a component's extension. */
export const EXTENSION = 'typedSchema';
const HEAD = `{ ${EXTENSION} { version rootFields base } }`;
const CHANGES = `query($since: String) { ${EXTENSION} { version changes(since: $since) { upTo isLast digest schemas { schema since types { name sdl } fields { on name sdl } } } } }`;

/**
 * Milliseconds after which a component with an older revision than before counts as restored: one of its
 * processes may be late for a moment.
 */
const LATE_MS = 10_000;

/** An answer that tells of a newer revision is held back for so long at most. */
const CATCH_UP_MS = 1000;

interface NamedSdl {
  readonly name: string;
  readonly sdl: string;
}
interface AddedField extends NamedSdl {
  /** The type that it is added to. */
  readonly on: string;
}
interface Part {
  readonly schema: string;
  readonly since: string;
  readonly types: readonly NamedSdl[];
  readonly fields: readonly AddedField[];
}
interface Changes {
  readonly upTo: string;
  readonly isLast: boolean;
  readonly digest: string;
  readonly schemas: readonly Part[];
}
interface Told {
  readonly version: string;
  readonly rootFields?: readonly string[];
  readonly base?: string;
  readonly changes?: Changes;
}
interface Following extends SchemaExtension {
  readonly parts: Parts;
}

/** The parts at one time. */
class Parts implements SchemaParts {
  readonly bySchema: ReadonlyMap<string, Part>;
  #types: ReadonlyMap<string, string> | undefined;
  #fields: ReadonlyMap<string, ReadonlyMap<string, string>> | undefined;

  constructor(bySchema: ReadonlyMap<string, Part>) {
    this.bySchema = bySchema;
  }

  #typeMap(): ReadonlyMap<string, string> {
    return (this.#types ??= new Map(
      [...this.bySchema.values()].flatMap(({ types }) => types.map(({ name, sdl }) => [name, sdl])),
    ));
  }
  /** By the type that they are added to. */
  #fieldMap(): ReadonlyMap<string, ReadonlyMap<string, string>> {
    if (this.#fields) return this.#fields;
    const added = new Map<string, Map<string, string>>();
    for (const { fields } of this.bySchema.values())
      for (const { on, name, sdl } of fields)
        added.set(on, (added.get(on) ?? new Map<string, string>()).set(name, sdl));
    return (this.#fields = added);
  }

  holds(type: string): boolean {
    return this.#fieldMap().has(type);
  }
  type(name: string): string | undefined {
    return this.#typeMap().get(name);
  }
  field(holder: string, name: string): string | undefined {
    return this.#fieldMap().get(holder)?.get(name);
  }
  types(): Iterable<string> {
    return this.#typeMap().keys();
  }
  fields(holder: string): Iterable<string> {
    return this.#fieldMap().get(holder)?.keys() ?? [];
  }

  digest(): string {
    return createHash('sha256')
      .update(
        [...this.bySchema.values()]
          .map(({ schema, since }) => `${schema}@${since}`)
          .sort()
          .join('\n'),
      )
      .digest('hex');
  }
}

const NONE: ReadonlyMap<string, Part> = new Map();

export class RemoteExtension {
  readonly #head: PreparedOperation;
  readonly #changes: PreparedOperation;
  readonly #reader: Caller;
  #current: Following | null = null;
  #following: Promise<void> | undefined;
  /** The newest revision known while following. */
  #newest = 0;
  #behindSince: number | undefined;

  /**
   * @param prepare of answers that are not {@link heard}
   * @param reader identity that may read the component's types
   */
  constructor(prepare: (source: string) => PreparedOperation, reader: Caller) {
    this.#head = prepare(HEAD);
    this.#changes = prepare(CHANGES);
    this.#reader = reader;
  }

  get current(): SchemaExtension | null {
    return this.#current;
  }

  /**
   * The revision in an answer of the component. Of a newer one it returns a promise, which resolves once this
   * router has its types, so that who reads the answer can ask for them, or after a moment.
   */
  heard(revision: string | undefined): Promise<void> | undefined {
    if (!this.#isBehind(revision)) return undefined; // periodic queries detect that it was restored
    this.#newest = Math.max(this.#newest, Number(revision));
    return waitAtMost(CATCH_UP_MS, this.#catchUp(revision));
  }

  #isBehind(revision: string | undefined): boolean {
    return this.#current !== null && Number(revision ?? 0) > Number(this.#current.version);
  }

  /** What is under way may have begun before the change, and is followed by another. */
  async #catchUp(revision: string | undefined): Promise<void> {
    for (let turn = 0; turn < 2 && this.#isBehind(revision); turn++) await this.follow();
  }

  /** The same of whatever it is now, where it is not known whether there is anything newer. */
  async followAnew(): Promise<void> {
    const anew = async (): Promise<void> => {
      await this.#following;
      await this.follow();
    };
    await waitAtMost(CATCH_UP_MS, anew());
  }

  /** Queries the component's current state; the known one stays if it does not respond. */
  follow(): Promise<void> {
    return (this.#following ??= this.#follow().finally(() => {
      this.#following = undefined;
      const isStale = this.#newest > Number(this.#current?.version ?? Infinity);
      this.#newest = 0;
      if (isStale) void this.follow();
    }));
  }

  async #follow(): Promise<void> {
    const head = await this.#ask(this.#head, {});
    if (head?.rootFields === undefined || head.base === undefined) return;
    const known = this.#current;
    const isBehind = known !== null && Number(head.version) < Number(known.version);
    if (isBehind && performance.now() < (this.#behindSince ??= performance.now()) + LATE_MS) return;
    this.#behindSince = undefined;
    if (known !== null && known.version === head.version && known.sdl === head.base) return;
    // another base is another version of the component, which may say the same schemas in another way
    const isOther = known !== null && known.sdl !== head.base;
    const found =
      (known === null || isBehind || isOther
        ? undefined
        : await this.#read(known.version, known.parts.bySchema)) ?? (await this.#read(null, NONE));
    if (found)
      this.#current = {
        version: found.version,
        rootFields: head.rootFields,
        sdl: head.base,
        parts: found.parts,
      };
  }

  /**
   * Applies every page of changes to the known state; undefined if the component does not respond, or if the
   * result does not match its digest.
   */
  async #read(
    since: string | null,
    known: ReadonlyMap<string, Part>,
  ): Promise<{ readonly version: string; readonly parts: Parts } | undefined> {
    const bySchema = new Map(known);
    for (let from = since; ;) {
      const told = await this.#ask(this.#changes, { since: from });
      const changes = told?.changes;
      if (told === undefined || changes === undefined) return undefined;
      for (const part of changes.schemas) bySchema.set(part.schema, part);
      if (changes.isLast) {
        const parts = new Parts(bySchema);
        return since === null || parts.digest() === changes.digest
          ? { version: told.version, parts }
          : undefined;
      }
      from = changes.upTo;
    }
  }

  async #ask(
    ask: PreparedOperation,
    variables: Readonly<Record<string, unknown>>,
  ): Promise<Told | undefined> {
    const { data } = await ask(variables, this.#reader);
    const told = data?.[EXTENSION];
    return isTold(told) ? told : undefined;
  }
}

const isTold = (value: unknown): value is Told =>
  // the component's own schema validates the rest
  typeof value === 'object' && value !== null && 'version' in value && typeof value.version === 'string';
