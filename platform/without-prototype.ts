// A record whose only keys are those that are put into it: `constructor` is absent, `__proto__` is a key.
export const withoutPrototype = <Value>(): Record<string, Value> =>
  Object.create(null) as Record<string, Value>; // typed any; there is nothing in it yet
