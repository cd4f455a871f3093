// One project for all views: chosen here, kept in the address, and told by a bar. It narrows what is shown;
// what somebody may see is for the server to decide.
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { useAddress } from '../address/address.tsx';
import { TextField } from '../parts/form.tsx';
import { Icon } from '../parts/icons.tsx';
import { Dialog } from '../parts/overlays.tsx';
import { useStoredProjects } from '../parts/stored-projects.ts';
import { Given } from '../parts/value.tsx';
import { useFrameDialog } from './frame-dialogs.tsx';
import { useSession } from './session.tsx';

/** Views that the project narrows. */
const NARROWED: ReadonlySet<string> = new Set(['', 'entities', 'differences', 'runs', 'trigger', 'rules']);

/** The projects of who is signed in; those of stored entities for who is in all of them. */
function useProjects(): readonly string[] {
  const { projects } = useSession();
  const { counts } = useStoredProjects({ skip: projects !== null, quiet: true });
  return projects ?? [...counts.keys()].sort();
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
