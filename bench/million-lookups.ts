// The lookups among a million entities, and equivalent hand-written SQL.
import { dataOf, entityId, TYPES } from './seed.ts';

type Statement = readonly [text: string, values: readonly unknown[]];

export interface Lookup {
  readonly name: string;
  /** Returns the path of the i-th request. */
  readonly target: (i: number) => string;
  readonly sql: (i: number) => readonly Statement[];
  /** The target: a maximum multiple of the time of hand-written SQL; null where there is none. */
  readonly aim: number | null;
}

const COLUMNS =
  'e.id, e.entity_type, e.data, e.version, c.timestamp AS created_at, u.timestamp AS updated_at, e.is_available';
const EVENTS =
  'JOIN metadata.provenance c ON c.position = e.first_event JOIN metadata.provenance u ON u.position = e.last_event';
const page = (where: string, order: string): string =>
  `SELECT ${COLUMNS} FROM (SELECT * FROM metadata.entity e WHERE ${where} AND is_available ORDER BY ${order} LIMIT 100) e ${EVENTS} ORDER BY ${order}`;
const count = (where: string): string =>
  `SELECT count(*) AS n FROM metadata.entity e WHERE ${where} AND is_available`;
const KEPT = 'SELECT sum(n) AS n FROM metadata.entity_count WHERE entity_type = $1 AND is_available';
const AGE = `(CASE WHEN jsonb_typeof(e.data -> 'age') = 'number' THEN e.data -> 'age' END)`;

/** What a request is about, of so many entities. */
const choose = (entities: number) => {
  const some = (i: number): number => (i * 7_919 + 17) % entities;
  const type = (i: number): string => TYPES[some(i) % TYPES.length] ?? '';
  const list = (i: number): string => `/entities?entity_type=${type(i)}`;
  const nameOf = (i: number): string => dataOf(some(i))['name'] as string; // created by dataOf
  return { some, type, list, nameOf };
};
type Choice = ReturnType<typeof choose>;

const equal = 'entity_type = $1 AND data @> $2::jsonb';
const range = `entity_type = 'Bench0' AND ${AGE} >= $1::jsonb AND ${AGE} < $2::jsonb`;

const lookupsByField = ({ some, type, list, nameOf }: Choice): readonly Lookup[] => [
  {
    name: 'equality of a field, one of a million',
    aim: 2,
    target: (i) => `${list(i)}&name=${encodeURIComponent(nameOf(i))}`,
    sql: (i) => {
      const values = [type(i), JSON.stringify({ name: nameOf(i) })];
      return [
        [page(equal, 'first_event'), values],
        [count(equal), values],
      ];
    },
  },
  {
    name: 'equality of a field, one of a hundred',
    aim: 2,
    target: (i) => `${list(i)}&filter=${encodeURIComponent(`data.age == ${some(i) % 90}`)}`,
    sql: (i) => {
      const values = [type(i), JSON.stringify({ age: some(i) % 90 })];
      return [
        [page(equal, 'first_event'), values],
        [count(equal), values],
      ];
    },
  },
  {
    name: 'range of an indexed field',
    aim: 2,
    target: (i) =>
      `/entities?entity_type=Bench0&filter=${encodeURIComponent(`data.age >= ${(i % 8) * 10} && data.age < ${(i % 8) * 10 + 5}`)}`,
    sql: (i) => {
      const values = [String((i % 8) * 10), String((i % 8) * 10 + 5)];
      return [
        [page(range, 'first_event'), values],
        [count(range), values],
      ];
    },
  },
  {
    name: 'order by an indexed field',
    aim: 2,
    target: () => '/entities?entity_type=Bench0&order_by=-data.age',
    sql: () => [
      [page(`entity_type = 'Bench0' AND ${AGE} IS NOT NULL`, `${AGE} DESC, first_event DESC`), []],
      [KEPT, ['Bench0']],
    ],
  },
  {
    // none lacks it, which is as hard to know as that few do; the pages differ, as those that repeat are kept
    name: 'order by an indexed field that may be lacking',
    aim: null,
    target: (i) => `/entities?entity_type=Bench0&order_by=data.state&offset=${i}`,
    sql: (i) => [
      [
        `SELECT ${COLUMNS} FROM (SELECT * FROM metadata.entity e WHERE entity_type = 'Bench0' AND is_available ORDER BY data ->> 'state' NULLS FIRST, first_event LIMIT 100 OFFSET ${i}) e ${EVENTS} ORDER BY data ->> 'state' NULLS FIRST, first_event`,
        [],
      ],
      [KEPT, ['Bench0']],
    ],
  },
];

export function createLookups(entities: number, at: string): readonly Lookup[] {
  const choice = choose(entities);
  const { some, type, list } = choice;
  const listed = (i: number): Statement[] => [
    [page('entity_type = $1', 'first_event'), [type(i)]],
    [KEPT, [type(i)]],
  ];
  return [
    {
      name: 'one by id',
      aim: null,
      target: (i) => `/entities/${entityId(some(i))}`,
      sql: (i) => [
        [`SELECT ${COLUMNS} FROM metadata.entity e ${EVENTS} WHERE e.id = $1`, [entityId(some(i))]],
      ],
    },
    { name: 'list of 100 of a type, and the total', aim: 2, target: list, sql: listed },
    ...lookupsByField(choice),
    {
      name: 'search: a word and a beginning',
      aim: 2,
      target: (i) =>
        `/search?entity_type=${type(i)}&q=${encodeURIComponent(`entity ${String(some(i)).slice(0, 4)}`)}`,
      sql: (i) => [
        [
          `SELECT ${COLUMNS}, ts_rank(e.search, to_tsquery('simple', $2), 1) AS score FROM metadata.entity e ${EVENTS}
        WHERE e.search @@ to_tsquery('simple', $2) AND e.entity_type = $1 AND e.is_available ORDER BY score DESC, e.first_event LIMIT 100`,
          [type(i), `entity & ${String(some(i)).slice(0, 4)}:*`],
        ],
      ],
    },
    {
      name: 'list of 100 as of a time, beside the present',
      aim: 3,
      target: (i) => `${list(i)}&as_of=${at}`,
      sql: listed,
    },
  ];
}
