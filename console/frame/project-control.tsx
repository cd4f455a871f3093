// One project for all views: chosen here, kept in the address, and told by a bar. It narrows what is shown;
// what somebody may see is for the server to decide.
import { type FormEvent, type ReactNode, useId, useMemo, useState } from 'react';
import { useAddress } from '../address/address.tsx';
import { isData } from '../api/json.ts';
import { type Operation, operation } from '../api/operation.ts';
import { useQuery } from '../api/use-api.ts';
import type { ProjectTypesQuery } from '../generated/api.ts';
import { TextField } from '../parts/form.tsx';
import { Icon } from '../parts/icons.tsx';
import { Dialog } from '../parts/overlays.tsx';
import { Given } from '../parts/value.tsx';
import { useFrameDialog } from './frame-dialogs.tsx';
import { useSession } from './session.tsx';

const PROJECT_TYPES = operation<ProjectTypesQuery>(/* GraphQL */ `
  query ProjectTypes {
    schemas {
      name
      fields {
        name
      }
    }
  }
`);

/** Types whose entities' projects are looked at; an operation has a limit of its fields. */
const MOST = 20;
/** Views that the project narrows. */
const NARROWED: ReadonlySet<string> = new Set(['', 'entities', 'differences', 'runs', 'trigger', 'rules']);

type Counted = Readonly<Record<string, { readonly groups: readonly { readonly key: unknown }[] } | null>>;

/** The projects of the entities of each type, by position. */
function projectsOf(count: number): Operation<Counted, Readonly<Record<string, unknown>>> {
  const all = Array.from({ length: count }, (_, i) => i);
  const declared = all.map((i) => `$t${i}: String!`).join(', ');
  const fields = all.map(
    (i) => `  p${i}: aggregate(entityType: $t${i}, groupBy: ["project"], limit: 100) { groups { key } }`,
  );
  return operation(`query Projects(${declared}) {\n${fields.join('\n')}\n}`);
}

/** The projects of who is signed in; those of stored entities for who is in all of them. */
function useProjects(): readonly string[] {
  const { projects } = useSession();
  const skip = projects !== null;
  const types = useQuery(PROJECT_TYPES, {}, { skip, quiet: true });
  const names = (types.data?.schemas ?? [])
    .filter(({ fields }) => fields.some(({ name }) => name === 'project'))
    .map(({ name }) => name)
    .slice(0, MOST);
  const asked = useMemo(() => projectsOf(names.length), [names.length]);
  const variables = Object.fromEntries(names.map((name, i) => [`t${i}`, name]));
  const { data } = useQuery(asked, variables, { skip: skip || names.length === 0, quiet: true });
  if (projects !== null) return projects;
  const found = Object.values(data ?? {}).flatMap((one) =>
    (one?.groups ?? []).flatMap(({ key }) => {
      const project = isData(key) ? key['project'] : undefined;
      return typeof project === 'string' ? [project] : [];
    }),
  );
  return [...new Set(found)].sort();
}

function Choose({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { project, set } = useAddress();
  const projects = useProjects();
  const [typed, setTyped] = useState(project ?? '');
  const list = useId();
  const choose = (name: string | undefined): void => {
    set({ project: name });
    onClose();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    choose(typed.trim());
  };
  return (
    <form className="stack" onSubmit={submit}>
      <p>
        Home and the lists of entities, runs, rules and productions show only what belongs to it. Shared
        entities belong to none.
      </p>
      <TextField
        id="project"
        label="Project"
        list={list}
        autoComplete="off"
        value={typed}
        onChange={setTyped}
      />
      <datalist id={list}>
        {projects.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <ul className="row" aria-label="Known projects">
        {projects.slice(0, 12).map((name) => (
          <li key={name}>
            <button
              type="button"
              className="button"
              onClick={() => {
                choose(name);
              }}
            >
              <Given text={name} most={60} />
            </button>
          </li>
        ))}
      </ul>
      <footer>
        <button
          type="button"
          className="button"
          onClick={() => {
            choose(undefined);
          }}
        >
          All projects
        </button>
        <button type="submit" className="button first">
          Show this project
        </button>
      </footer>
    </form>
  );
}

export function ProjectControl(): ReactNode {
  const { isOpen, open, close } = useFrameDialog('project');
  return (
    <>
      <button type="button" className="button bare" onClick={open}>
        <Icon name="project" />
        <span className="label">Project</span>
        <span className="visually-hidden"> shown by all views</span>
      </button>
      <Dialog title="Show one project" isOpen={isOpen} onClose={close}>
        <Choose onClose={close} />
      </Dialog>
    </>
  );
}

export function ProjectBar(): ReactNode {
  const { project, view, set } = useAddress();
  if (project === undefined) return null;
  return (
    <div className="scope" role="status">
      <span>
        {NARROWED.has(view) ? 'You see the project ' : 'This view shows all projects; lists show '}
        <Given text={project} most={100} />
      </span>
      <button
        type="button"
        className="button bare"
        onClick={() => {
          set({ project: undefined });
        }}
      >
        All projects
      </button>
    </div>
  );
}
