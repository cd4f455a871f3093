// Five typical questions of a scientist, each in REST, in GraphQL and as a check over the sheet itself.
import type { Entity } from './entity.ts';

export type Fields = Readonly<Record<string, unknown>>;

export interface Question {
  readonly text: string;
  readonly rest: {
    readonly path: string;
    readonly parameters: readonly (readonly [name: string, value: string])[];
  };
  readonly graphql: { readonly query: string; readonly variables: Fields; readonly pick: string };
  /** Whether an entity belongs in the answer, computed from the loaded data. Both APIs must agree with it. */
  readonly isAnswer?: (entity: Entity) => boolean;
  /** The columns of each item in the table. */
  readonly columns: (item: Fields) => Fields;
}

const ENTITY = 'id entityType data version createdAt updatedAt isAvailable';
const LIST = `total items { ${ENTITY} }`;

/** Returns the data of an entity in a response. */
const dataOf = (item: Fields): Fields => item['data'] as Fields; // every entity has data

const lengthOf = (value: unknown): number => (Array.isArray(value) ? value.length : 0);

export const questions: readonly Question[] = [
  {
    text: 'Where do the populations of East Asian ancestry live?',
    rest: {
      path: '/entities',
      parameters: [
        ['entity_type', 'Population'],
        ['superpopulation', 'EAS'],
        ['order_by', 'id'],
      ],
    },
    graphql: {
      query: `query ($fields: [FieldFilter!]) { entities(entityType: "Population", fields: $fields, orderBy: "id") { ${LIST} } }`,
      variables: { fields: [{ name: 'superpopulation', values: ['EAS'] }] },
      pick: 'entities',
    },
    isAnswer: ({ type, data }) => type === 'Population' && data['superpopulation'] === 'EAS',
    columns: (item) => {
      const { code, description, latitude, longitude } = dataOf(item);
      return { code, description, latitude, longitude };
    },
  },
  {
    text: 'Which women are British or Finnish?',
    rest: {
      path: '/entities',
      parameters: [
        ['entity_type', 'Sample'],
        ['sex', 'female'],
        ['population', 'population:GBR'],
        ['population', 'population:FIN'],
        ['order_by', 'id'],
        ['limit', '1000'],
      ],
    },
    graphql: {
      query: `query ($fields: [FieldFilter!]) { entities(entityType: "Sample", fields: $fields, orderBy: "id", limit: 1000) { ${LIST} } }`,
      variables: {
        fields: [
          { name: 'sex', values: ['female'] },
          { name: 'population', values: ['population:GBR', 'population:FIN'] },
        ],
      },
      pick: 'entities',
    },
    isAnswer: ({ type, data }) =>
      type === 'Sample' &&
      data['sex'] === 'female' &&
      (data['population'] === 'population:GBR' || data['population'] === 'population:FIN'),
    columns: (item) => {
      const { accession, population, family } = dataOf(item);
      return { accession, population, family };
    },
  },
  {
    text: 'Which Yoruba children have both parents in the collection?',
    rest: {
      path: '/entities',
      parameters: [
        ['entity_type', 'Sample'],
        ['filter', 'data.population == "population:YRI" && has(data.father) && has(data.mother)'],
        ['order_by', 'id'],
        ['limit', '1000'],
      ],
    },
    graphql: {
      query: `query ($filter: String) { entities(entityType: "Sample", filter: $filter, orderBy: "id", limit: 1000) { ${LIST} } }`,
      variables: { filter: 'data.population == "population:YRI" && has(data.father) && has(data.mother)' },
      pick: 'entities',
    },
    isAnswer: ({ type, data }) =>
      type === 'Sample' && data['population'] === 'population:YRI' && 'father' in data && 'mother' in data,
    columns: (item) => {
      const { accession, sex, father, mother } = dataOf(item);
      return { accession, sex, father, mother };
    },
  },
  {
    text: 'Who has second- or third-order relatives in more than one other sample?',
    rest: {
      path: '/entities',
      parameters: [
        ['entity_type', 'Sample'],
        ['filter', 'size(data.second_order_relatives) > 1 || size(data.third_order_relatives) > 1'],
        ['order_by', 'id'],
        ['limit', '1000'],
      ],
    },
    graphql: {
      query: `query ($filter: String) { entities(entityType: "Sample", filter: $filter, orderBy: "id", limit: 1000) { ${LIST} } }`,
      variables: { filter: 'size(data.second_order_relatives) > 1 || size(data.third_order_relatives) > 1' },
      pick: 'entities',
    },
    isAnswer: ({ type, data }) =>
      type === 'Sample' &&
      (lengthOf(data['second_order_relatives']) > 1 || lengthOf(data['third_order_relatives']) > 1),
    columns: (item) => {
      const {
        accession,
        population,
        second_order_relatives: second,
        third_order_relatives: third,
      } = dataOf(item);
      return { accession, population, second_order: second, third_order: third };
    },
  },
  {
    text: 'Who wrote what we know of HG00096, and when?',
    rest: { path: '/entities/sample:HG00096/history', parameters: [] },
    graphql: {
      query:
        'query ($id: ID!) { entityHistory(entityId: $id) { id eventType entityId entityType actor timestamp schemaVersion context payload } }',
      variables: { id: 'sample:HG00096' },
      pick: 'entityHistory',
    },
    columns: ({ timestamp, actor, eventType, payload }) => ({ timestamp, actor, event: eventType, payload }),
  },
];
