// What refers to an entity of the picture and has not been read.
import type { ReactNode } from 'react';
import { numberText } from '../../parts/text.ts';
import { EntityLink, Given } from '../../parts/value.tsx';
import type { Rest } from './neighbours.ts';

interface Props {
  readonly rests: readonly Rest[];
  /** Whether the picture holds no more. */
  readonly isFull: boolean;
  readonly isLoading: boolean;
  readonly onMore: (rest: Rest) => void;
}

export const Rests = ({ rests, isFull, isLoading, onMore }: Props): ReactNode =>
  rests.length > 0 && (
    <section className="card" aria-labelledby="rests">
      <h2 id="rests">Not in the picture yet</h2>
      <ul className="list">
        {rests.map((rest) => (
          <li key={`${rest.of} ${rest.type} ${rest.field}`}>
            <span>
              {numberText(rest.total - rest.read)} more <Given text={rest.type} /> refer to{' '}
              <EntityLink id={rest.of} /> by <Given text={rest.field} />
            </span>
            {isFull ? (
              <span className="quiet">the picture is full</span>
            ) : (
              <button
                type="button"
                className="button"
                disabled={isLoading}
                onClick={() => {
                  onMore(rest);
                }}
              >
                Show them
                <span className="visually-hidden">
                  : {rest.type} by {rest.field} of {rest.of}
                </span>
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
