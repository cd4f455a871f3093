// The agents of a run in a crate: the requester, the server's operator, the licence, and the runner.
import { type Graph, local, type Ref } from './graph.ts';

export interface CrateSettings {
  /** URI of the results' licence, and its name; null if none is configured. */
  readonly license: { readonly url: string; readonly name: string } | null;
  /** Who operates the server. */
  readonly publisher: { readonly name: string; readonly url: string } | null;
}

/** The statement without a configured licence: rights have not been evaluated (rightsstatements.org). */
const NOT_EVALUATED = { url: 'http://rightsstatements.org/vocab/CNE/1.0/', name: 'Copyright Not Evaluated' };
const UNNAMED = 'The operator of this Cairn server';

export function addLicense(graph: Graph, { license }: CrateSettings): Ref {
  const { url, name } = license ?? NOT_EVALUATED;
  return graph.add({
    '@id': url,
    '@type': 'CreativeWork',
    name,
    url,
    description:
      license === null
        ? 'The rights to these data are not stated: ask the publisher before using them.'
        : `The data are under ${name}.`,
  });
}

export function addOperator(graph: Graph, { publisher }: CrateSettings): Ref {
  if (publisher === null) return graph.add({ '@id': '#operator', '@type': 'Organization', name: UNNAMED });
  return graph.add({
    '@id': publisher.url,
    '@type': 'Organization',
    name: publisher.name,
    url: publisher.url,
  });
}

/** A user is a person; for requests of a service, the operator is the agent. */
export function addAgent(graph: Graph, actor: string, operator: Ref): Ref {
  if (actor.startsWith('service:')) return operator;
  return graph.add({ '@id': local('agent', actor), '@type': 'Person', name: actor, affiliation: operator });
}

const ENGINES: Readonly<Record<string, { readonly name: string; readonly url: string }>> = {
  cwltool: { name: 'cwltool', url: 'https://github.com/common-workflow-language/cwltool' },
  wes: {
    name: 'GA4GH Workflow Execution Service',
    url: 'https://www.ga4gh.org/product/workflow-execution-service-wes/',
  },
};

/** @param runner as a production records it: its name and, if known, its version */
export function addEngine(graph: Graph, runner: string | null): Ref {
  const [name = '', ...version] = (runner ?? '').split(' ');
  const known = Object.hasOwn(ENGINES, name) ? ENGINES[name] : undefined;
  const { name: called, url } = known ?? {
    name: runner ?? 'unknown',
    url: 'https://www.commonwl.org/implementations/',
  };
  return graph.add({
    '@id': `${url}#${encodeURIComponent(version.join(' '))}`,
    '@type': 'SoftwareApplication',
    name: called,
    url,
    softwareVersion: version.length === 0 ? 'not specified' : version.join(' '),
  });
}
