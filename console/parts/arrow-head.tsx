// The end of a line of a diagram.
import type { ReactNode } from 'react';

/** For the `defs` of a drawing, whose lines name it: `markerEnd="url(#<id>)"`. */
export const ArrowHead = ({ id }: { readonly id: string }): ReactNode => (
  <marker id={id} viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">
    <path className="head" d="M0,0 L8,4 L0,8 z" />
  </marker>
);
