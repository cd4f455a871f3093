// A causal chain as lists: one for each number of links between a node and the subject.
import type { ReactNode } from 'react';
import { Link } from '../../address/address.tsx';
import { Given, Instant } from '../../parts/value.tsx';
import { type Chain, type ChainNode, DID, type Direction, placeOf, whyOf } from './chain.ts';
import { useReadsAudit } from './reads-audit.ts';

/** Of one node; a request may have written thousands of events. */
const MAX_LINKS = 3;
const MAX_NAME = 200;

interface Nearer {
  readonly did: string;
  readonly other: string;
}

/** What each node has to do with those that are nearer to the subject. */
function nearerOf({ nodes, links }: Chain): ReadonlyMap<string, readonly Nearer[]> {
  const known = new Map(nodes.map((node) => [node.key, node]));
  const found = new Map<string, Nearer[]>();
  for (const { cause, effect, kind } of links) {
    const [from, to] = [known.get(cause), known.get(effect)];
    if (from === undefined || to === undefined || from.depth === to.depth) continue;
    const isCauseFarther = from.depth > to.depth;
    const [farther, nearer] = isCauseFarther ? [from, to] : [to, from];
    const one = {
      did: isCauseFarther ? DID[kind] : `${nearer.kind.toLowerCase()} ${DID[kind]} it:`,
      other: nearer.name,
    };
    const before = found.get(farther.key);
    if (before === undefined) found.set(farther.key, [one]);
    else before.push(one);
  }
  return found;
}

interface ItemProps {
  readonly node: ChainNode;
  readonly nearer: readonly Nearer[];
  readonly direction: Direction;
}

function Item({ node, nearer, direction }: ItemProps): ReactNode {
  const place = placeOf(node, useReadsAudit());
  const from = whyOf(node.key, direction);
  const name = <Given text={node.name} most={MAX_NAME} />;
  return (
    <li>
      <span className="row">
        <span className="tag plain">{node.kind.toLowerCase()}</span>
        {place === undefined ? name : <Link {...place}>{name}</Link>}
        {nearer.slice(0, MAX_LINKS).map(({ did, other }, i) => (
          // a node may have two links to another
          <span key={i} className="quiet small">
            {did} <Given text={other} most={80} />
          </span>
        ))}
        {nearer.length > MAX_LINKS && (
          <span className="quiet small">and {nearer.length - MAX_LINKS} more</span>
        )}
      </span>
      <span className="row quiet small">
        {node.actor !== null && <Given text={node.actor} most={120} />}
        {node.at !== null && <Instant iso={node.at} />}
        {node.depth > 0 && (
          <Link {...from}>
            from here
            <span className="visually-hidden">
              : {node.kind.toLowerCase()} <Given text={node.name} most={MAX_NAME} />
            </span>
          </Link>
        )}
      </span>
    </li>
  );
}

const titleOf = (depth: number, direction: Direction): string => {
  if (depth === 0) return 'Subject';
  const what = direction === 'BACKWARD' ? 'causes' : 'effects';
  return depth === 1 ? `Its ${what}` : `Level ${depth} of ${what}`;
};

export function Levels({
  chain,
  direction,
}: {
  readonly chain: Chain;
  readonly direction: Direction;
}): ReactNode {
  const nearer = nearerOf(chain);
  const levels = new Map<number, ChainNode[]>();
  for (const node of chain.nodes) {
    const level = levels.get(node.depth);
    if (level === undefined) levels.set(node.depth, [node]);
    else level.push(node);
  }
  return (
    <>
      {[...levels].map(([depth, nodes]) => (
        <section key={depth} className="card" aria-labelledby={`level-${depth}`}>
          <h2 id={`level-${depth}`}>{titleOf(depth, direction)}</h2>
          <ul className="list">
            {nodes.map((node) => (
              <Item key={node.key} node={node} nearer={nearer.get(node.key) ?? []} direction={direction} />
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}
