// What the tests of refusals share.
import { type Answer } from './testkit/server.ts';

export interface Body {
  data?: unknown;
  error?: { code: number; message: string };
  meta: { warnings?: string[] };
  errors?: { extensions: { code: string } }[];
  extensions?: { warnings?: string[] };
}

export const bodyOf = ({ body }: Answer): Body => body as Body;
