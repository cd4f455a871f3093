// The container images that a production ran in, in a crate.
import { imagesOf, type Production } from '../productions/production.ts';
import { type Graph, local, type Ref, ref } from './graph.ts';

const TYPE = 'https://w3id.org/ro/terms/workflow-run#DockerImage';
/** Of names without one. */
const REGISTRY = 'docker.io';

/** Registry, name and tag of an image, as engines read its name. */
function partsOf(image: string): { readonly registry: string; readonly name: string; readonly tag?: string } {
  const [named = ''] = image.split('@');
  const [first = '', ...rest] = named.split('/');
  const hasRegistry = rest.length > 0 && (/[.:]/.test(first) || first === 'localhost');
  const path = hasRegistry ? rest.join('/') : named;
  const [name = '', tag] = path.split(':');
  return { registry: hasRegistry ? first : REGISTRY, name, ...(tag === undefined ? {} : { tag }) };
}

export const addImages = (graph: Graph, production: Production): readonly Ref[] =>
  (imagesOf(production) ?? []).map(({ image, digest }) =>
    graph.add({
      '@id': local('image', image),
      '@type': 'ContainerImage',
      additionalType: ref(TYPE),
      ...partsOf(image),
      ...(digest === null ? {} : { sha256: digest.replace('sha256:', '') }),
    }),
  );
