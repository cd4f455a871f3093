// Values that are computed once for an object and forgotten with it.

/** Wraps `make`, a pure function of an immutable object, so that it runs once per object unless it throws. */
export function oncePer<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    let one = made.get(key);
    if (one === undefined) made.set(key, (one = { value: make(key) }));
    return one.value;
  };
}
