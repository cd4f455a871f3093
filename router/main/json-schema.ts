// Words for JSON Schemas of the endpoints that are described by hand.

export type JsonSchema = Readonly<Record<string, unknown>>;

export const string = { type: 'string' };
export const integer = { type: 'integer' };

/** @param required its names; all, unless told otherwise */
export const object = (
  properties: Record<string, JsonSchema>,
  required = Object.keys(properties),
  example?: JsonSchema,
): JsonSchema => ({
  type: 'object',
  ...(example === undefined ? {} : { examples: [example] }),
  required,
  properties,
});

/** A schema of the gateway's own, by its name. */
export const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/gateway_${name}` });
