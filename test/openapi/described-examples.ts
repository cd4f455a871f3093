// Which operations of a description lack examples, and whether its examples are what it describes.
import { type Description, type Media, validatorsOf } from './checked-client.ts';

interface Place {
  /** `metadata_Ingest body application/json` */
  readonly name: string;
  readonly type: string;
  readonly media: Media;
}

const placesIn = ({ paths }: Description): Place[] =>
  Object.values(paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ operationId, requestBody, responses }) =>
      Object.entries({ body: requestBody ?? {}, ...responses }).flatMap(([part, { content = {} }]) =>
        Object.entries(content).map(([type, media]) => ({
          name: `${operationId} ${part} ${type}`,
          type,
          media,
        })),
      ),
    ),
  );

/** Content that is no text, and pages. */
const hasNone = (type: string): boolean => /^\*|octet-stream|zip|arrow|parquet|spreadsheetml|html/.test(type);

/** The schema, where it is a name that one. */
function resolved(
  schema: object | undefined,
  { components }: Description,
): { readonly examples?: readonly unknown[] } {
  if (schema === undefined) return {};
  if (!('$ref' in schema)) return schema;
  const [, , section = '', name = ''] = String(schema.$ref).split('/');
  // as the description has it
  const sections = components as Readonly<Record<string, Readonly<Record<string, object>>>>;
  return sections[section]?.[name] ?? {};
}

const examplesAt = ({ media }: Place, description: Description): readonly unknown[] => [
  ...(media.example === undefined ? [] : [media.example]),
  ...(resolved(media.schema, description).examples ?? []),
];

export const examplesMissing = (description: Description): string[] =>
  placesIn(description)
    .filter((place) => !hasNone(place.type) && examplesAt(place, description).length === 0)
    .map(({ name }) => name);

export function examplesRefused(description: Description): string[] {
  const validatorOf = validatorsOf(description);
  return placesIn(description).flatMap((place) => {
    const examples = examplesAt(place, description);
    if (place.media.schema === undefined || examples.length === 0) return [];
    const validate = validatorOf(place.media.schema);
    return examples.map(validate).flatMap((fault) => (fault === null ? [] : [`${place.name}: ${fault}`]));
  });
}
