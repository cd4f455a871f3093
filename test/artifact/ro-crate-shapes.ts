// Checks a crate against the requirements and recommendations of the RO-Crate 1.1, Workflow RO-Crate, Process
// Run Crate and Workflow Run Crate profiles; written from their texts.

import { KEYS } from './ro-crate-keys.ts';

export type CrateNode = Record<string, unknown> & {
  readonly '@id': string;
  readonly '@type': string | readonly string[];
};
export interface Crate {
  readonly '@context': unknown;
  readonly '@graph': readonly CrateNode[];
}

const TIME = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}:\d{2}(\.\d{3})?\+\d{2}:\d{2})?$/;
const DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2}))?$/;
const MEDIA_TYPE = /^(\w*)\/(\w[\w.-]*)(?:\+(\w[\w.-]*))?(?:;(\w+=[^;]+))*$/;
const DATA_TYPES = [
  'PropertyValue',
  'DateTime',
  'Number',
  'Float',
  'Integer',
  'Text',
  'Date',
  'Boolean',
  'Time',
];

const list = (value: unknown): readonly unknown[] => (value === undefined ? [] : [value].flat());
const idOf = (value: unknown): string | null =>
  typeof value === 'object' && value !== null && '@id' in value ? String(value['@id']) : null;

class Checks {
  readonly must: string[] = [];
  readonly should: string[] = [];
  readonly #nodes: ReadonlyMap<string, CrateNode>;

  constructor(nodes: ReadonlyMap<string, CrateNode>) {
    this.#nodes = nodes;
  }

  is(value: unknown, ...types: readonly string[]): boolean {
    const node = this.#nodes.get(idOf(value) ?? '');
    return node !== undefined && list(node['@type']).some((type) => types.includes(String(type)));
  }

  all(...types: readonly string[]): readonly CrateNode[] {
    return [...this.#nodes.values()].filter((node) => this.is({ '@id': node['@id'] }, ...types));
  }

  require(node: CrateNode, holds: boolean, what: string): void {
    if (!holds) this.must.push(`${node['@id']}: ${what}`);
  }

  recommend(node: CrateNode, holds: boolean, what: string): void {
    if (!holds) this.should.push(`${node['@id']}: ${what}`);
  }
}

function checkForm({ '@graph': graph }: Crate, checks: Checks): void {
  const ids = new Set<string>();
  for (const node of graph) {
    checks.require(
      node,
      typeof node['@id'] === 'string' && node['@type'] !== undefined,
      'every node has an id and a type',
    );
    checks.require(node, !ids.has(node['@id']), 'every node is there once');
    ids.add(node['@id']);
    for (const [key, value] of Object.entries(node)) {
      checks.require(node, KEYS.has(key), `compact: ${key} is a term of the contexts`);
      for (const one of list(value)) {
        checks.require(
          node,
          typeof one !== 'object' || (one !== null && '@id' in one && Object.keys(one).length === 1),
          `flattened: ${key} is a value or a reference`,
        );
        checks.require(node, one !== undefined && one !== null && !Array.isArray(one), `${key} has a value`);
      }
    }
  }
}

function checkRoot(checks: Checks): void {
  const descriptor = checks.all('CreativeWork').find((node) => node['@id'] === 'ro-crate-metadata.json');
  const root = checks.all('Dataset').find((node) => node['@id'] === './');
  if (descriptor === undefined || root === undefined)
    return void checks.must.push('there is a descriptor and a root');
  const conforms = (node: CrateNode): readonly (string | null)[] => list(node['conformsTo']).map(idOf);
  checks.require(descriptor, idOf(descriptor['about']) === './', 'is about the root');
  checks.require(
    descriptor,
    conforms(descriptor).includes('https://w3id.org/ro/crate/1.1'),
    'conforms to RO-Crate 1.1',
  );
  checks.recommend(
    descriptor,
    conforms(descriptor).includes('https://w3id.org/workflowhub/workflow-ro-crate/1.0'),
    'conforms to Workflow RO-Crate',
  );
  for (const name of ['name', 'description', 'datePublished'])
    checks.require(root, typeof root[name] === 'string' && root[name] !== '', `has a ${name}`);
  checks.require(root, DATE.test(String(root['datePublished'])), 'datePublished is ISO 8601');
  checks.require(
    root,
    list(root['license']).length > 0 && root['license'] !== 'not stated',
    'states a licence',
  );
  checks.recommend(
    root,
    list(root['license']).every((one) => checks.is(one, 'CreativeWork')),
    'license is a contextual entity',
  );
  for (const part of list(root['hasPart']))
    checks.require(root, checks.is(part, 'File', 'Dataset'), `part ${idOf(part)} is a data entity`);
  for (const profile of ['process', 'workflow'])
    checks.require(
      root,
      conforms(root).some((id) => id?.startsWith(`https://w3id.org/ro/wfrun/${profile}/`)),
      `conforms to the ${profile} run crate`,
    );
  for (const profile of list(root['conformsTo']))
    checks.require(root, checks.is(profile, 'CreativeWork'), `${idOf(profile)} is described`);
  checks.recommend(
    root,
    list(root['author']).length > 0 &&
      list(root['author']).every((one) => checks.is(one, 'Person', 'Organization')),
    'has an author',
  );
  checks.recommend(
    root,
    list(root['publisher']).length === 1 && checks.is(root['publisher'], 'Organization'),
    'has a publisher',
  );
  checks.require(
    root,
    list(root['publisher']).every((one) => checks.is(one, 'Person', 'Organization')),
    'the publisher is one',
  );
  const parts = new Set(list(root['hasPart']).map(idOf));
  for (const file of checks.all('File'))
    checks.require(file, parts.has(file['@id']), 'every data entity is part of the root');
  checkMain(checks, root);
  for (const action of checks.all('CreateAction'))
    checks.recommend(
      action,
      list(root['mentions']).some((one) => idOf(one) === action['@id']),
      'is mentioned by the root',
    );
}

function checkMain(checks: Checks, root: CrateNode): void {
  const main = checks.all('File').find((node) => node['@id'] === idOf(root['mainEntity']));
  if (main === undefined) return void checks.must.push('the main entity is a file');
  for (const type of ['SoftwareSourceCode', 'ComputationalWorkflow'])
    checks.require(main, checks.is({ '@id': main['@id'] }, type), `is a ${type}`);
  checks.require(
    main,
    list(main['programmingLanguage']).length > 0 &&
      checks.is(main['programmingLanguage'], 'ComputerLanguage'),
    'names its language',
  );
  checks.recommend(
    main,
    list(main['conformsTo']).some((one) =>
      /^https:\/\/bioschemas\.org\/profiles\/ComputationalWorkflow\/[1-9]/.test(idOf(one) ?? ''),
    ),
    'conforms to Bioschemas',
  );
}

function checkSoftware(checks: Checks): void {
  for (const node of checks.all('SoftwareApplication', 'SoftwareSourceCode', 'ComputationalWorkflow')) {
    for (const name of ['name', 'url']) checks.recommend(node, list(node[name]).length > 0, `has a ${name}`);
    checks.recommend(node, node['@id'].startsWith('http'), 'has an absolute address');
    const isApplication = checks.is({ '@id': node['@id'] }, 'SoftwareApplication');
    checks.recommend(
      node,
      isApplication
        ? (node['version'] === undefined) !== (node['softwareVersion'] === undefined) &&
            (node['softwareVersion'] ?? node['version']) !== ''
        : list(node['version']).length > 0,
      'has one version',
    );
    for (const one of [...list(node['input']), ...list(node['output'])])
      checks.require(node, checks.is(one, 'FormalParameter'), 'inputs and outputs are parameters');
  }
  for (const step of checks.all('HowToStep')) {
    checks.require(
      step,
      checks
        .all('ComputationalWorkflow')
        .some(
          (workflow) =>
            list(workflow['step']).some((one) => idOf(one) === step['@id']) &&
            checks.is({ '@id': workflow['@id'] }, 'HowTo'),
        ),
      'is a step of a workflow',
    );
    checks.require(
      step,
      checks.is(step['workExample'], 'SoftwareApplication', 'SoftwareSourceCode', 'ComputationalWorkflow') &&
        /^\d+$/.test(String(step['position'])),
      'names its tool and its place',
    );
  }
}

function checkParameters(checks: Checks): void {
  for (const parameter of checks.all('FormalParameter')) {
    const examples = checks
      .all('File', 'Dataset', 'Collection', 'PropertyValue')
      .filter((node) => list(node['exampleOfWork']).some((one) => idOf(one) === parameter['@id']));
    const types = list(parameter['additionalType']);
    checks.require(parameter, types.length > 0, 'has an additionalType');
    checks.recommend(parameter, list(parameter['name']).length > 0, 'has a name');
    checks.recommend(parameter, examples.length > 0, 'has an example');
    for (const example of examples) {
      const isFile = checks.is({ '@id': example['@id'] }, 'File');
      checks.recommend(
        parameter,
        isFile ? types.includes('File') : types.some((type) => DATA_TYPES.includes(String(type))),
        `has the type of ${example['@id']}`,
      );
    }
  }
}

function checkActions(checks: Checks): void {
  for (const action of checks.all('CreateAction')) {
    checks.require(
      action,
      checks.is(action['instrument'], 'SoftwareApplication', 'SoftwareSourceCode', 'ComputationalWorkflow'),
      'has an instrument',
    );
    for (const name of ['name', 'description', 'result'])
      checks.recommend(action, list(action[name]).length > 0, `has a ${name}`);
    for (const name of ['startTime', 'endTime'])
      checks.recommend(action, TIME.test(String(action[name])), `${name} is ISO 8601 with an offset`);
    checks.recommend(action, checks.is(action['agent'], 'Person', 'Organization'), 'has an agent');
    for (const one of list(action['containerImage']))
      checks.require(action, checks.is(one, 'ContainerImage'), `${idOf(one)} is an image`);
    checks.recommend(
      action,
      [undefined, 'http://schema.org/CompletedActionStatus', 'http://schema.org/FailedActionStatus'].includes(
        action['actionStatus'] as string | undefined,
      ),
      'has ended',
    );
    for (const one of [...list(action['object']), ...list(action['result'])])
      checks.recommend(
        action,
        checks.is(one, 'File', 'Dataset', 'Collection', 'CreativeWork', 'PropertyValue'),
        `${idOf(one)} is a thing`,
      );
  }
}

function checkThings(checks: Checks): void {
  for (const file of checks.all('File')) {
    const formats = list(file['encodingFormat']);
    checks.recommend(
      file,
      formats.length > 0 &&
        formats.length <= 2 &&
        formats.every((one) => (typeof one === 'string' ? MEDIA_TYPE.test(one) : checks.is(one, 'WebSite'))),
      'has an encodingFormat',
    );
    if (!/^(https?|ftps?):/i.test(file['@id'])) continue;
    checks.recommend(file, list(file['contentSize']).length > 0, 'has a contentSize');
    checks.recommend(file, DATE.test(String(file['sdDatePublished'])), 'has the date of access');
  }
  for (const site of checks.all('WebSite'))
    checks.require(site, typeof site['name'] === 'string', 'has a name');
  for (const person of checks.all('Person')) {
    checks.recommend(person, typeof person['name'] === 'string', 'has a name');
    checks.recommend(person, checks.is(person['affiliation'], 'Organization'), 'has an affiliation');
  }
  for (const organization of checks.all('Organization'))
    for (const name of ['name', 'url'])
      checks.recommend(organization, list(organization[name]).length > 0, `has a ${name}`);
}

/** The requirements and recommendations that a crate does not satisfy. */
export function holdAgainstProfiles(crate: Crate): {
  readonly must: readonly string[];
  readonly should: readonly string[];
} {
  const checks = new Checks(new Map(crate['@graph'].map((node) => [node['@id'], node])));
  checkForm(crate, checks);
  checkRoot(checks);
  checkSoftware(checks);
  checkParameters(checks);
  checkActions(checks);
  checkThings(checks);
  return { must: checks.must, should: checks.should };
}
