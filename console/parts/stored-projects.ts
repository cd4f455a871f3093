// The projects of stored entities, and how many entities each has.
import { useMemo } from 'react';
import { isData } from '../api/json.ts';
import { type Operation, operation } from '../api/operation.ts';
import { type Answer, useQuery } from '../api/use-api.ts';
import type { ProjectTypesQuery } from '../generated/api.ts';

const PROJECT_TYPES = operation<ProjectTypesQuery>(/* GraphQL */ `
  query ProjectTypes {
    schemas {
      name
      allFields {
        name
      }
    }
  }
`);

/** Types whose entities' projects are looked at; an operation has a limit of its fields. */
export const MOST_TYPES = 20;
/** Projects of one type that are read, those with the most entities. */
export const MOST_PROJECTS = 1000;

interface Grouped {
  readonly groups: readonly { readonly key: unknown; readonly count: number }[];
}
type Counted = Readonly<Record<string, Grouped | null>>;

/** The projects of the entities of each type, by position. */
function projectsOf(count: number): Operation<Counted, Readonly<Record<string, unknown>>> {
  const all = Array.from({ length: count }, (_, i) => i);
  const declared = all.map((i) => `$t${i}: String!`).join(', ');
  const fields = all.map(
    (i) =>
      `  p${i}: aggregate(entityType: $t${i}, groupBy: ["project"], limit: ${MOST_PROJECTS}) { groups { key count } }`,
  );
  return operation(`query Projects(${declared}) {\n${fields.join('\n')}\n}`);
}

export interface StoredProjects {
  /** By project, how many entities of each type it has. */
  readonly counts: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** Whether there are types that were not looked at. */
  readonly isPart: boolean;
  /** Whether a type has entities of more projects than were read. */
  readonly isCut: boolean;
  readonly of: Pick<Answer<unknown>, 'error' | 'isLoading' | 'reload'>;
}

/** @param options.skip for who is not in all projects: their own are known without asking */
export function useStoredProjects(options: {
  readonly skip: boolean;
  readonly quiet?: boolean;
}): StoredProjects {
  const types = useQuery(PROJECT_TYPES, {}, options);
  const all = (types.data?.schemas ?? [])
    .filter(({ allFields }) => allFields.some(({ name }) => name === 'project'))
    .map(({ name }) => name);
  const names = all.slice(0, MOST_TYPES);
  const asked = useMemo(() => projectsOf(names.length), [names.length]);
  const variables = Object.fromEntries(names.map((name, i) => [`t${i}`, name]));
  const answer = useQuery(asked, variables, { ...options, skip: options.skip || names.length === 0 });
  const counts = new Map<string, Map<string, number>>();
  for (const [i, name] of names.entries())
    for (const { key, count } of answer.data?.[`p${i}`]?.groups ?? []) {
      const project = isData(key) ? key['project'] : undefined;
      if (typeof project !== 'string') continue;
      const before = counts.get(project) ?? new Map<string, number>();
      counts.set(project, before.set(name, count));
    }
  const isUnread = types.error === undefined && types.data === undefined;
  return {
    counts,
    isPart: all.length > names.length,
    isCut: names.some((_, i) => answer.data?.[`p${i}`]?.groups.length === MOST_PROJECTS),
    of: types.error || isUnread ? types : answer,
  };
}
