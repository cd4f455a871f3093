// What can be done with the picture: types collapsed, another time compared, saved as a file.
import { type ReactNode, useState } from 'react';
import { useAddress } from '../../address/address.tsx';
import { type ApiError, asApiError } from '../../api/api-error.ts';
import { ask } from '../../api/client.ts';
import { atInstant } from '../../api/at-instant.ts';
import { type Operation, operation, requestOf } from '../../api/operation.ts';
import { urlOf } from '../../api/place.ts';
import { useShownRequest } from '../../api/shown-requests.tsx';
import { useQuery } from '../../api/use-api.ts';
import type {
  CrateOfQuery,
  CrateOfQueryVariables,
  LineageProvQuery,
  LineageProvQueryVariables,
} from '../../generated/api.ts';
import { Menu, type MenuChoice } from '../../parts/overlays.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { Fault } from '../../parts/states.tsx';
import { fieldOf, instantOfField, numberText } from '../../parts/text.ts';
import type { Graph } from './graph.ts';
import { ARROWS } from './use-graph.ts';
import { isWork } from './works.ts';

const PROV = operation<LineageProvQuery, LineageProvQueryVariables>(/* GraphQL */ `
  query LineageProv($ids: [ID!]!) {
    provenanceDocument(entityIds: $ids)
  }
`);
const MADE = operation<CrateOfQuery, CrateOfQueryVariables>(/* GraphQL */ `
  query CrateOf($id: ID!) {
    entity(id: $id) {
      producedBy {
        id
      }
    }
  }
`);

/** Entities of a provenance document. */
const DOCUMENTED = 100;

interface Props {
  /** All that has been read. */
  readonly graph: Graph;
  /** As it is drawn. */
  readonly shown: Graph;
  readonly root: string;
}

function Collapse({ graph, root }: Pick<Props, 'graph' | 'root'>): ReactNode {
  const { params, set } = useAddress();
  const now = params.getAll('one');
  const counts = new Map<string, number>();
  for (const { id, type } of graph.nodes.values())
    if (id !== root) counts.set(type, (counts.get(type) ?? 0) + 1);
  const types = [...counts].filter(([type, count]) => count > 1 || now.includes(type));
  if (types.length === 0) return null;
  return (
    <div className="row" role="group" aria-label="Types in one box">
      <span className="quiet">In one box:</span>
      {types.map(([type, count]) => (
        <label key={type} className="check">
          <input
            type="checkbox"
            checked={now.includes(type)}
            onChange={(event) => {
              const others = now.filter((one) => one !== type);
              set({ one: event.target.checked ? [...others, type] : others }, { replace: true });
            }}
          />{' '}
          {type} ({numberText(count)})
        </label>
      ))}
    </div>
  );
}

/** Productions and runs as boxes of their own, or as arrows between entities. */
function WorksShown(): ReactNode {
  const { params, set } = useAddress();
  return (
    <label className="check">
      <input
        type="checkbox"
        checked={params.get('works') !== ARROWS}
        onChange={(event) => {
          set({ works: event.target.checked ? undefined : ARROWS }, { replace: true });
        }}
      />{' '}
      Productions and runs
    </label>
  );
}

function Compare(): ReactNode {
  const { params, set } = useAddress();
  const other = params.get('compare');
  return (
    <div className="row">
      <label htmlFor="lineage-compare" className="quiet">
        Compare with
      </label>
      <span>
        <input
          id="lineage-compare"
          type="datetime-local"
          step={1}
          value={fieldOf(other)}
          onChange={({ target: { value } }) => {
            set({ compare: instantOfField(value) }, { replace: true });
          }}
        />
      </span>
      {other !== null && (
        <span className="quiet small">Green is not there at that time, red (dashed) only then.</span>
      )}
    </div>
  );
}

function useSaving({ graph, shown, root }: Props): readonly [readonly MenuChoice[], ApiError | undefined] {
  const [error, setError] = useState<ApiError>();
  const { at } = useAddress();
  const { data } = useQuery(MADE, { id: root }, { skip: isWork(root), at });
  const save =
    (name: string, make: () => Promise<Blob>): (() => void) =>
    () => {
      setError(undefined);
      make().then(
        (content) => {
          saveFile(name, content);
        },
        (thrown: unknown) => {
          setError(asApiError(thrown));
        },
      );
    };
  const svg = async (): Promise<string> => (await import('./picture-file.ts')).svgText(shown, root);
  const entities = [...graph.nodes.keys()].filter((id) => !isWork(id));
  const ids = [...entities.filter((id) => id === root), ...entities.filter((id) => id !== root)].slice(
    0,
    DOCUMENTED,
  );
  const asked: readonly [Operation<LineageProvQuery, unknown>, unknown] =
    at === undefined ? [PROV, { ids }] : [atInstant(PROV), { ids, at }];
  useShownRequest(requestOf(...asked));
  const choices: readonly MenuChoice[] = [
    {
      key: 'svg',
      text: 'SVG',
      onChoose: save('lineage.svg', async () => new Blob([await svg()], { type: 'image/svg+xml' })),
    },
    {
      key: 'png',
      text: 'PNG',
      onChoose: save('lineage.png', async () => (await import('./picture-file.ts')).pngOf(await svg())),
    },
    {
      key: 'prov',
      text: entities.length > DOCUMENTED ? `PROV-JSON of the first ${DOCUMENTED}` : 'PROV-JSON',
      onChoose: save('lineage.prov.json', async () => {
        const { provenanceDocument } = await ask(...asked);
        return new Blob([JSON.stringify(provenanceDocument, null, 2)], { type: 'application/json' });
      }),
    },
    ...(data?.entity?.producedBy
      ? [
          {
            key: 'crate',
            text: 'RO-Crate of the production',
            href: urlOf(`api/v1/artifact/crates/${encodeURIComponent(root)}/zip`),
            isDownload: true,
          },
        ]
      : []),
  ];
  return [choices, error];
}

export function Tools(props: Props): ReactNode {
  const [choices, error] = useSaving(props);
  return (
    <>
      <div className="row apart">
        <Collapse graph={props.graph} root={props.root} />
        {isWork(props.root) || <WorksShown />}
        <Compare />
        <Menu label="Save as" icon="download" choices={choices} />
      </div>
      {error && <Fault error={error} />}
    </>
  );
}
