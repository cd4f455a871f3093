// Lineage: what an entity comes from and what comes from it, step by step.
import { type FormEvent, type ReactNode, useCallback, useEffect, useState } from 'react';
import { Link, useAddress } from '../../address/address.tsx';
import { type ApiError, asApiError } from '../../api/api-error.ts';
import { useQuery } from '../../api/use-api.ts';
import { Page } from '../../frame/page.tsx';
import { TextField } from '../../parts/form.tsx';
import { Empty, Fault, Loading, Shown } from '../../parts/states.tsx';
import { plural } from '../../parts/text.ts';
import { Given } from '../../parts/value.tsx';
import { EMPTY, type Graph, opened } from './graph.ts';
import { LINEAGE_TYPES, neighboursOf, type Types } from './neighbours.ts';
import { Picture } from './picture.tsx';

function Choose(): ReactNode {
  const { set } = useAddress();
  const [typed, setTyped] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    set({ id: typed.trim() });
  };
  return (
    <form className="card" onSubmit={submit}>
      <div className="split">
        <TextField id="lineage-id" label="id of an entity" required value={typed} onChange={setTyped} />
        <button type="submit" className="button first">
          Show
        </button>
      </div>
    </form>
  );
}

interface Opened {
  readonly graph: Graph;
  readonly error: ApiError | undefined;
  readonly isLoading: boolean;
  readonly open: (id: string) => void;
}

function useGraph(id: string, types: Types): Opened {
  const { at } = useAddress();
  const [graph, setGraph] = useState(EMPTY);
  const [error, setError] = useState<ApiError>();
  const [underWay, setUnderWay] = useState(0);
  const open = useCallback(
    (one: string) => {
      setUnderWay((count) => count + 1);
      setError(undefined);
      neighboursOf(one, at, types)
        .then(
          (neighbours) => {
            setGraph((before) => opened(before, one, neighbours));
          },
          (thrown: unknown) => {
            setError(asApiError(thrown));
          },
        )
        .finally(() => {
          setUnderWay((count) => count - 1);
        });
    },
    [at, types],
  );
  useEffect(() => {
    setGraph(EMPTY);
    open(id);
  }, [id, open]);
  return { graph, error, isLoading: underWay > 0, open };
}

function Shape({ id, types }: { readonly id: string; readonly types: Types }): ReactNode {
  const { graph, error, isLoading, open } = useGraph(id, types);
  if (graph.nodes.size === 0 && error === undefined)
    return isLoading ? (
      <Loading what="the lineage" />
    ) : (
      <Empty title="There is no entity with this id">
        <p>Or it belongs to a project that you are not a member of, or it did not exist then.</p>
      </Empty>
    );
  return (
    <>
      {error && <Fault error={error} />}
      <Picture graph={graph} root={id} onOpen={open} />
      <p className="quiet small" role="status">
        {plural(graph.nodes.size, 'entity', 'entities')}
        {isLoading
          ? ', loading more …'
          : '. A plus shows the next step; of many that refer to an entity, a few are shown.'}
      </p>
    </>
  );
}

export default function Lineage(): ReactNode {
  const { params } = useAddress();
  const id = params.get('id');
  const types = useQuery(LINEAGE_TYPES, {});
  if (id === null)
    return (
      <Page title="Lineage" about="What an entity comes from, and what was made from it.">
        <Choose />
      </Page>
    );
  return (
    <Page
      title="Lineage"
      about={
        <>
          What{' '}
          <Link to="entity" params={{ id }}>
            <Given text={id} />
          </Link>{' '}
          comes from (left), and what comes from it (right).
        </>
      }
    >
      <Shown answer={types} what="the types">
        {({ schemas }) => <Shape id={id} types={schemas} />}
      </Shown>
    </Page>
  );
}
