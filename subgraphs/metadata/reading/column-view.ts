// Objects that show something under other names, each member worked out when it is read: most readers of an
// entity look at few of its columns.

/**
 * A class over a source whose instances have the members that `read` names. They are getters of its
 * prototype: all instances have one shape, and what is never looked at costs nothing.
 */
export function columnView<Source, View extends object>(
  read: Readonly<Record<keyof View & string, (source: Source) => View[keyof View]>>,
): new (source: Source) => View {
  class Over {
    readonly source: Source;
    constructor(source: Source) {
      this.source = source;
    }
    static {
      for (const [name, of] of Object.entries<(source: Source) => unknown>(read))
        Object.defineProperty(this.prototype, name, {
          enumerable: true,
          get(this: Over) {
            return of(this.source);
          },
        });
    }
  }
  return Over as unknown as new (source: Source) => View; // its getters are the view's members
}
