// Lineage: what an entity comes from and what comes from it, step by step.
import { type FormEvent, type ReactNode, useMemo, useState } from 'react';
import { Link, useAddress } from '../../address/address.tsx';
import { requestOf } from '../../api/operation.ts';
import { ShownRequest } from '../../api/shown-requests.tsx';
import { useQuery } from '../../api/use-api.ts';
import { Page } from '../../frame/page.tsx';
import { TextField } from '../../parts/form.tsx';
import { Empty, Fault, Loading, Shown } from '../../parts/states.tsx';
import { plural } from '../../parts/text.ts';
import { Given } from '../../parts/value.tsx';
import { collapsed, type Graph, MOST } from './graph.ts';
import type { Known } from './known.ts';
import { LINEAGE, LINEAGE_TYPES, MORE, referringRequest, type Types } from './neighbours.ts';
import { Picture } from './picture.tsx';
import { Rests } from './rests.tsx';
import { Tools } from './tools.tsx';
import { ARROWS, useGraph } from './use-graph.ts';
import { CHAIN, chainVariables, isWork, selfOf, subjectOf } from './works.ts';

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

/** The requests that made the picture: of its first entity, and of more that refer to one. */
function Asked({
  graph,
  id,
  types,
}: {
  readonly graph: Graph;
  readonly id: string;
  readonly types: Types;
}): ReactNode {
  const { at, params } = useAddress();
  const isShort = params.get('works') === ARROWS;
  const self = graph.nodes.get(id);
  const referring = self && !isWork(id) && referringRequest(self, at, types);
  const [rest] = graph.rests;
  return (
    <>
      {isWork(id) || <ShownRequest request={requestOf(LINEAGE, { id, at: at ?? null })} />}
      <ShownRequest request={requestOf(CHAIN, chainVariables(id, 'BACKWARD', at, isShort))} />
      <ShownRequest request={requestOf(CHAIN, chainVariables(id, 'FORWARD', at, isShort))} />
      <ShownRequest request={referring ? requestOf(...referring) : undefined} />
      <ShownRequest
        request={
          rest &&
          requestOf(MORE, { type: rest.type, filter: rest.filter, cursor: rest.cursor, at: at ?? null })
        }
      />
    </>
  );
}

function Shape({ id, types }: { readonly id: string; readonly types: Types }): ReactNode {
  const { params } = useAddress();
  const { graph, error, isLoading, reload, open, more } = useGraph(id, types);
  const key = params.getAll('one').join('\n');
  const shown = useMemo(() => collapsed(graph, id, new Set(key.split('\n'))), [graph, id, key]);
  const works = useMemo(() => [...graph.nodes.keys()].filter(isWork).length, [graph]);
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
      <Asked graph={graph} id={id} types={types} />
      <Tools graph={graph} shown={shown} root={id} />
      {error && <Fault error={error} onRetry={reload} />}
      <Picture label="Lineage" graph={shown} root={id} onOpen={open} />
      <p className="quiet small" role="status">
        {plural(graph.nodes.size - works, 'entity', 'entities')}
        {works > 0 && `, ${plural(works, 'production or run', 'productions and runs')}`}
        {isLoading ? ', loading more …' : '. A plus shows the next step.'}
      </p>
      {[...(graph.cut ?? [])].map((one) => (
        <p key={one} className="quiet small">
          Of <Given text={graph.nodes.get(one)?.name ?? one} /> there are more productions and runs:{' '}
          <Link to="why" params={{ subject: subjectOf(one), direction: 'FORWARD' }}>
            all that it led to
          </Link>
          ,{' '}
          <Link to="why" params={{ subject: subjectOf(one) }}>
            all of its causes
          </Link>
        </p>
      ))}
      <Rests rests={graph.rests} isFull={graph.nodes.size >= MOST} isLoading={isLoading} onMore={more} />
    </>
  );
}

const placeOf = (id: string): NonNullable<Known['place']> =>
  (isWork(id) ? selfOf(id, '').place : undefined) ?? { to: 'entity', params: { id } };

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
          <Link {...placeOf(id)}>
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
