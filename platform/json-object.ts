// Distinguishes JSON's lists and objects from other values.

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Like `Array.isArray`, which makes the elements `any`. */
export const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** The member of this name, of a list too, that is the value's own; undefined if there is none. */
export const ownMember = (value: unknown, name: string | number): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
