// Projects: what is stored in each, and who is restricted to it.
import { Fragment, type ReactNode } from 'react';
import { Link, useAddress } from '../../address/address.tsx';
import { operation } from '../../api/operation.ts';
import { COMMAND } from '../../api/place.ts';
import { useQuery } from '../../api/use-api.ts';
import type { ProjectMembersQuery } from '../../generated/api.ts';
import { pageIn, PageSteps } from '../../parts/page-steps.tsx';
import { MOST_PROJECTS, MOST_TYPES, useStoredProjects } from '../../parts/stored-projects.ts';
import { Empty, Fault, Loading, Shown } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { numberText, plural } from '../../parts/text.ts';
import { Given } from '../../parts/value.tsx';

const MEMBERS = operation<ProjectMembersQuery>(/* GraphQL */ `
  query ProjectMembers {
    knownActors(limit: 1000) {
      nextCursor
      actors {
        actor
        isLocal
        projects
        disabledAt
      }
    }
    apiKeys(all: true, limit: 1000) {
      nextCursor
      keys {
        id
        label
        role
        project
        owner
        expires
        revokedAt
      }
    }
    authClients {
      id
      roles
      projects
    }
  }
`);

/** Who has something of a project: names by kind. */
interface Members {
  readonly users: readonly string[];
  readonly keys: readonly string[];
  readonly clients: readonly string[];
}

interface Member {
  readonly name: string;
  /** Null for all of them. */
  readonly projects: readonly string[] | null;
}

interface Everybody {
  readonly users: readonly Member[];
  readonly keys: readonly Member[];
  readonly clients: readonly Member[];
}

type Key = ProjectMembersQuery['apiKeys']['keys'][number];

/**
 * What a key is good for, as the server decides it: it is its owner's, unless it has a project of its own or a role
 * that is in all of them. Undefined where it is good for nothing.
 */
function memberOf(
  { label, role, project, owner, expires, revokedAt }: Key,
  actors: ReadonlyMap<string, ProjectMembersQuery['knownActors']['actors'][number]>,
): Member | undefined {
  const account = actors.get(owner); // undefined only where not all were looked at
  if (revokedAt !== null || account === undefined || account.disabledAt !== null) return undefined;
  if (expires !== null && Date.parse(expires) <= Date.now()) return undefined;
  if (project !== null) return { name: label, projects: [project] };
  const isInAll = role === 'admin' || role === 'service';
  return { name: label, projects: isInAll ? null : account.projects };
}

/** Those who can come in: no disabled account, no key that has ended or is one's, and clients that act for themselves. */
function everybodyIn({ knownActors, apiKeys, authClients }: ProjectMembersQuery): Everybody {
  const byActor = new Map(knownActors.actors.map((one) => [one.actor, one]));
  return {
    users: knownActors.actors
      .filter(({ isLocal, disabledAt }) => isLocal && disabledAt === null)
      .map(({ actor, projects }) => ({ name: actor, projects })),
    keys: apiKeys.keys.flatMap((key) => memberOf(key, byActor) ?? []),
    clients: authClients
      .filter(({ roles }) => roles.length > 0)
      .map(({ id, projects }) => ({ name: id, projects })),
  };
}

const KINDS = ['users', 'keys', 'clients'] as const;

const inAll = (members: readonly Member[]): number =>
  members.filter(({ projects }) => projects === null).length;

const membersOf = (everybody: Everybody, project: string): Members => {
  const named = (members: readonly Member[]): readonly string[] =>
    members.filter(({ projects }) => projects?.includes(project) === true).map(({ name }) => name);
  return { users: named(everybody.users), keys: named(everybody.keys), clients: named(everybody.clients) };
};

/** Names of a cell that are shown at once. */
const LISTED = 8;

const Joined = ({ of }: { readonly of: readonly string[] }): ReactNode =>
  of.map((name, i) => (
    <Fragment key={i}>
      {i > 0 && ', '}
      <Given text={name} most={120} />
    </Fragment>
  ));

const Names = ({ of }: { readonly of: readonly string[] }): ReactNode =>
  of.length === 0 ? (
    <span className="quiet">–</span>
  ) : (
    <>
      <Joined of={of.slice(0, LISTED)} />
      {of.length > LISTED && (
        <details>
          <summary>{numberText(of.length - LISTED)} more</summary>
          <Joined of={of.slice(LISTED)} />
        </details>
      )}
    </>
  );

function Entities({
  project,
  isCut,
  counts,
}: {
  readonly project: string;
  readonly isCut: boolean;
  readonly counts: ReadonlyMap<string, number> | undefined;
}): ReactNode {
  if (counts === undefined) return <span className="quiet">{isCut ? 'none counted' : 'none'}</span>;
  return (
    <ul className="row">
      {[...counts].map(([type, count]) => (
        <li key={type}>
          <Link to="entities" params={{ type, project }}>
            {plural(count, type, type)}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** Projects of a page. */
const SIZE = 100;

function Listed({
  everybody,
  isWhole,
}: {
  readonly everybody: Everybody;
  readonly isWhole: boolean;
}): ReactNode {
  const { counts, isPart, isCut, of } = useStoredProjects({ skip: false });
  const page = pageIn(useAddress().params);
  if (of.error) return <Fault error={of.error} onRetry={of.reload} />;
  if (of.isLoading) return <Loading what="the projects" />;
  const named = KINDS.flatMap((kind) => everybody[kind].flatMap(({ projects }) => projects ?? []));
  const projects = [...new Set([...counts.keys(), ...named])].sort();
  const shown = projects.slice((page - 1) * SIZE, page * SIZE);
  return (
    <div className="stack">
      {projects.length === 0 ? (
        <Empty title="There is no project yet">
          <p>
            An entity belongs to the project that its field <code>project</code> names; one without is shared
            by all.
          </p>
        </Empty>
      ) : (
        <Table
          label="Projects"
          rows={shown.map((project) => ({ project, ...membersOf(everybody, project) }))}
          keyOf={({ project }) => project}
          columns={[
            {
              key: 'project',
              title: 'project',
              cell: ({ project }) => (
                <Link to="" params={{ project }}>
                  <Given text={project} most={120} />
                </Link>
              ),
            },
            {
              key: 'entities',
              title: 'entities',
              cell: ({ project }) => (
                <Entities project={project} isCut={isPart || isCut} counts={counts.get(project)} />
              ),
            },
            ...KINDS.map((kind) => ({
              key: kind,
              title: kind,
              cell: (row: Members) => <Names of={row[kind]} />,
            })),
          ]}
        />
      )}
      {projects.length > SIZE && (
        <PageSteps page={page} size={SIZE} total={projects.length} count={shown.length} />
      )}
      <p className="quiet small">
        Beside them, {plural(inAll(everybody.users), 'user')}, {plural(inAll(everybody.keys), 'key')} and{' '}
        {plural(inAll(everybody.clients), 'client')} are in all projects.
        {isPart && ` Entities of the first ${MOST_TYPES} types with a project are counted.`}
        {isCut &&
          ` Of a type with entities of more projects, the ${numberText(MOST_PROJECTS)} with the most are counted.`}
        {!isWhole && ' Of users and keys, the first 1,000 are looked at.'}
      </p>
    </div>
  );
}

export function Projects(): ReactNode {
  const answer = useQuery(MEMBERS, {});
  return (
    <div className="stack">
      <p className="quiet">
        Who is in a project sees its entities and those that are shared by all. Users are put into projects by{' '}
        <code>{COMMAND} users</code>, keys when they are made, clients in{' '}
        <Link to="admin" params={{ tab: 'configuration', key: 'auth.clients' }}>
          the configuration
        </Link>
        .
      </p>
      <Shown answer={answer} what="who is in the projects">
        {(data) => (
          <Listed
            everybody={everybodyIn(data)}
            isWhole={data.knownActors.nextCursor === null && data.apiKeys.nextCursor === null}
          />
        )}
      </Shown>
    </div>
  );
}
