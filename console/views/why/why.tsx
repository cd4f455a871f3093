// Why something exists, and what it led to: its causal chain, level by level or as a picture.
import { type ReactNode, useMemo } from 'react';
import { useAddress } from '../../address/address.tsx';
import { useQuery } from '../../api/use-api.ts';
import { LabelledSelect } from '../../parts/form.tsx';
import { Empty, Shown } from '../../parts/states.tsx';
import { numberText, plural } from '../../parts/text.ts';
import { Picture } from '../lineage/picture.tsx';
import { type Chain, type Direction, graphOf, WHY } from './chain.ts';
import { Levels } from './levels.tsx';
import { useReadsAudit } from './reads-audit.ts';

const DEPTHS = [1, 2, 3, 5, 10, 20, 50];
const DEPTH = 5;
/** Nodes that are shown at first, and the most that one answer has. */
const SOME = 100;
const MOST = 1000;

const openNothing = (): void => undefined; // a chain is shown as far as its levels go

function Drawn({
  chain,
  subject,
  direction,
}: {
  readonly chain: Chain;
  readonly subject: string;
  readonly direction: Direction;
}): ReactNode {
  const readsAudit = useReadsAudit();
  const graph = useMemo(() => graphOf(chain, direction, readsAudit), [chain, direction, readsAudit]);
  return <Picture label="Causal chain" graph={graph} root={subject} onOpen={openNothing} />;
}

interface Choice {
  readonly direction: Direction;
  readonly isPicture: boolean;
  readonly depth: number;
}

const DIRECTIONS = ['BACKWARD', 'FORWARD'] as const;

/** Nothing brings a request about. */
const directionOf = (subject: string): Choice['direction'] =>
  subject.startsWith('request:') ? 'FORWARD' : 'BACKWARD';

const choiceIn = (params: URLSearchParams, subject: string): Choice => ({
  direction: DIRECTIONS.find((one) => one === params.get('direction')) ?? directionOf(subject),
  isPicture: params.get('as') === 'picture',
  depth: DEPTHS.find((depth) => String(depth) === params.get('depth')) ?? DEPTH,
});

function Choose({ direction, isPicture, depth }: Choice): ReactNode {
  const { set } = useAddress();
  const button = (title: string, isPressed: boolean, changes: Parameters<typeof set>[0]) => (
    <button
      type="button"
      className={`button${isPressed ? ' first' : ''}`}
      aria-pressed={isPressed}
      onClick={() => {
        set(changes);
      }}
    >
      {title}
    </button>
  );
  return (
    <div className="row">
      <div className="row" role="group" aria-label="Direction">
        {button('Why it exists', direction === 'BACKWARD', { direction: 'BACKWARD', most: undefined })}
        {button('What it led to', direction === 'FORWARD', { direction: 'FORWARD', most: undefined })}
      </div>
      <div className="row" role="group" aria-label="Form of the chain">
        {button('Levels', !isPicture, { as: undefined })}
        {button('Picture', isPicture, { as: 'picture' })}
      </div>
      <LabelledSelect
        id="why-levels"
        label="levels"
        value={String(depth)}
        choices={DEPTHS.map(String)}
        onChange={(chosen) => {
          set({ depth: chosen === String(DEPTH) ? undefined : chosen });
        }}
      />
    </div>
  );
}

/** What there is beyond what is shown. */
function More({ shown }: { readonly shown: number }): ReactNode {
  const { set } = useAddress();
  if (shown >= MOST)
    return (
      <p className="quiet">
        These are the nearest {numberText(MOST)}. Choose fewer levels, or begin with one that is nearer to
        what you look for.
      </p>
    );
  return (
    <div>
      <button
        type="button"
        className="button"
        onClick={() => {
          set({ most: String(MOST) });
        }}
      >
        Show more
      </button>
    </div>
  );
}

/** @param subject a node's key, such as `entity:<id>` */
export function Why({ subject }: { readonly subject: string }): ReactNode {
  const { at = null, params } = useAddress();
  const choice = choiceIn(params, subject);
  const { direction, depth, isPicture } = choice;
  const first = params.get('most') === String(MOST) ? MOST : SOME;
  const answer = useQuery(WHY, { subject, direction, depth, first, at });
  return (
    <div className="stack">
      <Choose {...choice} />
      <Shown answer={answer} what="the chain">
        {({ why: chain }) => {
          if (chain === null)
            return (
              <Empty title="There is no chain of this">
                <p>It does not exist, or did not then, or you may not see it.</p>
              </Empty>
            );
          return (
            <>
              <p className="quiet" role="status">
                {chain.nodes.length <= 1
                  ? 'Nothing is known of this direction.'
                  : plural(chain.nodes.length - 1, 'node')}
              </p>
              {isPicture ? (
                <Drawn chain={chain} subject={subject} direction={direction} />
              ) : (
                <Levels chain={chain} direction={direction} />
              )}
              {chain.nextCursor !== null && <More shown={chain.nodes.length} />}
            </>
          );
        }}
      </Shown>
    </div>
  );
}
