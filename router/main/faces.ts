// The REST face of a component over the supergraph.
import { permissionOf } from '../../rest-compat/document-permission.ts';
import { BULK_BODY_LIMIT } from '../../rest-compat/faces.ts';
import type { Logger } from 'pino';
import type { OperationLimits } from '../../platform/budget/limits.ts';
import type { Face } from '../../platform/exchange.ts';
import type { Permission } from '../../platform/permissions.ts';
import { createFace } from '../../rest-compat/handler.ts';
import type { PreparedOperation, ComponentExtensions } from '../../platform/component.ts';
import type { Caller } from '../../platform/identity.ts';
import type { SignIdentity } from '../../platform/signed-identity/identity-signer.ts';
import type { Supergraph } from '../execution/supergraph.ts';
import type { ClientAddresses } from '../edge/client-address.ts';
import { createPassThrough, type PassThroughFace } from '../pass-through/pass-through.ts';
import { allPermissions, COMPONENT_KINDS, type ComponentKind } from './component-kinds.ts';
import type { Config } from '../../platform/config/load-config.ts';

export interface Bound {
  readonly run: PreparedOperation;
  readonly permission: Permission;
}

/** Each trusted document is bound once, when it first runs, and looked up by its text. */
export function binder(supergraph: Supergraph): (document: string) => Bound {
  const known = new Map<string, Bound>();
  return (document) => {
    let bound = known.get(document);
    if (!bound) {
      let run: PreparedOperation | undefined;
      bound = {
        permission: permissionOf(document, allPermissions),
        run: (variables, caller) => (run ??= supergraph.bind(document))(variables, caller),
      };
      known.set(document, bound);
    }
    return bound;
  };
}

const SCHEMA_REVISION = 'query SchemaRevision { schemaRevision }';
const PLATFORM: Omit<Caller, 'requestId'> = { actor: 'service:router', roles: ['service'], projects: [] };

export function faceOf(
  kind: ComponentKind,
  supergraph: Supergraph,
  bind: (document: string) => Bound,
  limits: OperationLimits,
  log: Logger,
): Face {
  const extensions = async (): Promise<ComponentExtensions> => {
    if (kind.name !== 'metadata') return {};
    const { extensions: said } = await bind(SCHEMA_REVISION).run(
      {},
      { ...PLATFORM, requestId: '00000000-0000-4000-8000-000000000000' },
    );
    return said ?? {};
  };
  return createFace({
    component: kind.name,
    prefix: `/api/v1/${kind.name}`,
    rows: kind.rows,
    envelope: kind.envelope,
    refuse: kind.refuse,
    prepare: bind,
    limits,
    bulkBodyLimit: BULK_BODY_LIMIT,
    extensions,
    onFault: (err, { requestId }) =>
      log.error({ err, requestId, component: kind.name }, 'unexpected error in a REST row'),
  });
}

export interface FacesOptions {
  readonly config: Config;
  readonly supergraph: Supergraph;
  readonly addresses: ClientAddresses;
  readonly sign: SignIdentity;
  readonly log: Logger;
}

/** Spec 1 asks for an administrator everywhere below the cache (`DELETE /api/v1/artifact/cache/*`), deeper than the platform's own rows go. */
const isBelowCache = (component: string, method: string, path: string): boolean =>
  component === 'artifact' && method === 'DELETE' && /^(?:\/api\/v1)?\/cache(?:\/|$)/.test(path);

/** A foreign implementation of one of the three components answers its paths; the platform's rows still say who may call them. */
const withRolesOf = (rows: Face, foreign: Face): Face => ({
  component: foreign.component,
  match(method, path) {
    const { access, template } = rows.match(method, path);
    return {
      ...foreign.match(method, path),
      access: isBelowCache(foreign.component, method, path) ? 'artifact:evict' : access,
      template,
    };
  },
});

/** One face for every component: rows over GraphQL, or pass-through (docs/decisions/0002). */
export function createFaces({ config, supergraph, addresses, sign, log }: FacesOptions): {
  faces: Record<string, Face>;
  bind: (document: string) => Bound;
  close: () => Promise<void>;
} {
  const bind = binder(supergraph);
  const faces: Record<string, Face> = {};
  const passing: PassThroughFace[] = [];
  for (const [name, { kind, url, timeoutMs }] of Object.entries(config.components)) {
    const own = COMPONENT_KINDS.find((k) => k.name === name);
    if (kind === 'graphql') {
      if (own) faces[name] = faceOf(own, supergraph, bind, config.graphql.limits, log);
      continue;
    }
    if (url === undefined) throw new Error(`components.${name} is of kind rest and has no url`);
    const foreign = createPassThrough({ name, url, timeoutMs, addresses, sign });
    passing.push(foreign);
    faces[name] = own
      ? withRolesOf(faceOf(own, supergraph, bind, config.graphql.limits, log), foreign)
      : foreign;
  }
  return {
    faces,
    bind,
    close: async () => {
      await Promise.all(passing.map((face) => face.close()));
    },
  };
}
