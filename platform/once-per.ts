// Values that are computed once: for an object, and forgotten with it, or for whoever asks.

/** Wraps `make`, a pure function of an immutable object, so that it runs once per object unless it throws. */
export function oncePer<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    let one = made.get(key);
    if (one === undefined) made.set(key, (one = { value: make(key) }));
    return one.value;
  };
}

/** Wraps `make`, so that it runs once, for the first who asks, unless it throws. */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
