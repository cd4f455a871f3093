// The Helm chart, rendered by Go's template engine: what it makes is what Kubernetes' types take, and what Cairn takes.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { parseConfig } from '../../platform/config/load-config.ts';
import { projectRoot } from '../../platform/project-root.ts';
import { scratchDirectory } from '../testkit/scratch-space.ts';

interface Rendered {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  readonly data?: { readonly 'gateway.yaml': string };
  readonly spec: {
    readonly replicas?: number;
    readonly minReplicas?: number;
    readonly selector?: { readonly matchLabels: Readonly<Record<string, string>> };
    readonly template: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> };
      readonly spec: {
        readonly terminationGracePeriodSeconds?: number;
        readonly volumes: readonly {
          readonly name: string;
          readonly configMap?: { readonly name: string };
        }[];
        readonly containers: readonly {
          readonly args: readonly string[];
          readonly env: readonly { readonly name: string; readonly value: string }[];
        }[];
      };
    };
  };
}

const TIERS = path.join(projectRoot, 'deploy/helm/tiers.yaml');

const render = (...files: readonly string[]): readonly Rendered[] =>
  JSON.parse(
    execFileSync(process.execPath, [path.join(import.meta.dirname, 'render-chart.mjs'), 'lab', ...files], {
      encoding: 'utf8',
    }),
  ) as readonly Rendered[];

function withValues(yaml: string): readonly Rendered[] {
  const file = path.join(scratchDirectory('chart'), 'values.yaml');
  writeFileSync(file, yaml);
  return render(file);
}

const TYPES: Readonly<Record<string, string>> = {
  ConfigMap: 'core/v1',
  Deployment: 'apps/v1',
  HorizontalPodAutoscaler: 'autoscaling/v2',
  Ingress: 'networking/v1',
  Job: 'batch/v1',
  NetworkPolicy: 'networking/v1',
  PodDisruptionBudget: 'policy/v1',
  Service: 'core/v1',
};

/** What the compiler says of the objects as literals of Kubernetes' types: members that are missing, unknown or of another type. */
function faultsOf(objects: readonly object[]): readonly string[] {
  const file = path.join(projectRoot, 'never-written-chart.ts');
  const text = (objects as readonly Rendered[])
    .map((object, i) => {
      const from = TYPES[object.kind] ?? 'unknown';
      return `import type { ${object.kind} as T${i} } from 'kubernetes-types/${from}';\nexport const o${i}: T${i} = ${JSON.stringify(object, null, 1)};`;
    })
    .join('\n');
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    types: [],
    lib: ['lib.es2022.d.ts'],
    skipLibCheck: true,
    module: ts.ModuleKind.Preserve,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  };
  const host = ts.createCompilerHost(options);
  const program = ts.createProgram([file], options, {
    ...host,
    fileExists: (name) => name === file || host.fileExists(name),
    getSourceFile: (name, version) =>
      name === file ? ts.createSourceFile(name, text, version) : host.getSourceFile(name, version),
  });
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}

const everything = withValues(
  'ingress: {enabled: true, annotations: {"nginx.ingress.kubernetes.io/proxy-body-size": "0"}}\n' +
    'networkPolicy: {from: [{namespaceSelector: {matchLabels: {name: ingress}}}]}\n' +
    'podAnnotations: {"prometheus.io/scrape": "true"}\nnodeSelector: {disk: ssd}\n' +
    'tolerations: [{key: science, operator: Exists}]\nimage: {pullSecrets: [{name: pull}]}\n',
);
const tiers = render(TIERS);

const ofKind = (objects: readonly Rendered[], kind: string): readonly Rendered[] =>
  objects.filter((object) => object.kind === kind);

test("what the chart makes is of Kubernetes' types, and what is not is told", () => {
  const [deployment] = ofKind(everything, 'Deployment');
  const [service] = ofKind(everything, 'Service');
  const faults = faultsOf([
    ...everything,
    ...tiers,
    { ...deployment, spec: { ...deployment?.spec, replica: 2 } },
    { ...deployment, spec: { replicas: 2 } },
    { ...service, spec: { ports: [{ port: 'http' }] } },
  ]);
  expect(faults).toEqual([
    expect.stringContaining(`'"replica"' does not exist`),
    expect.stringContaining(
      "missing the following properties from type 'DeploymentSpec': selector, template",
    ),
    expect.stringContaining("'string' is not assignable to type 'number'"),
  ]);
});

test('each tier has its objects, which find its pods', () => {
  expect(ofKind(tiers, 'Deployment').map(({ metadata, spec }) => [metadata.name, spec.replicas])).toEqual([
    ['lab-router', undefined],
    ['lab-metadata', undefined],
    ['lab-workflow', 2],
    ['lab-artifact', 2],
  ]);
  expect(ofKind(tiers, 'HorizontalPodAutoscaler').map(({ spec }) => spec.minReplicas)).toEqual([3, 2]);
  expect(ofKind(tiers, 'PodDisruptionBudget')).toHaveLength(4);
  expect(ofKind(everything, 'Ingress').map(({ metadata }) => metadata.name)).toEqual(['lab-server']);
  for (const { metadata, spec } of ofKind(tiers, 'Deployment')) {
    expect(spec.template.metadata.labels).toEqual(spec.selector?.matchLabels);
    const budget = ofKind(tiers, 'PodDisruptionBudget').find((one) => one.metadata.name === metadata.name);
    expect(budget?.spec.selector).toEqual(spec.selector);
  }
});

test('without migrations and network policies there are none', () => {
  const objects = withValues('migrations: {enabled: false}\nnetworkPolicy: {enabled: false}\n');
  expect(objects.map(({ kind }) => kind).sort()).toEqual([
    'ConfigMap',
    'Deployment',
    'PodDisruptionBudget',
    'Service',
  ]);
});

test('with a certificate, pods have it, and probes speak TLS', () => {
  const objects = withValues('tls: {secret: cairn-tls}\n');
  expect(faultsOf(objects)).toEqual([]);
  const text = JSON.stringify(ofKind(objects, 'Deployment'));
  expect(text.match(/"scheme":"HTTPS"/g)).toHaveLength(3);
  expect(text).toContain('"secretName":"cairn-tls"');
  expect(text).toContain('"mountPath":"/run/secrets/cairn-tls"');
  expect(JSON.stringify(everything)).not.toMatch(/HTTPS|cairn-tls.*mountPath/);
});

test.each([
  ['one tier', everything],
  ['four tiers', tiers],
])('with %s, Cairn takes the configuration, and pods are given what it names', (_, objects) => {
  const pods = [...ofKind(objects, 'Deployment'), ...ofKind(objects, 'Job')];
  for (const { spec } of pods) {
    const [container] = spec.template.spec.containers;
    const map = spec.template.spec.volumes.find(({ name }) => name === 'config')?.configMap?.name;
    const text = ofKind(objects, 'ConfigMap').find((one) => one.metadata.name === map)?.data?.[
      'gateway.yaml'
    ];
    const env = Object.fromEntries(
      (container?.env ?? []).map(({ name, value }) =>
        name.endsWith('_FILE')
          ? [name.slice(0, -'_FILE'.length), 'postgres://secret-of-16-bytes']
          : [name, value],
      ),
    );
    const config = parseConfig(text ?? '', 'gateway.yaml', { env, cwd: projectRoot });
    expect(config.server).toMatchObject({ mode: 'production', host: '0.0.0.0', port: 8080 });
    const services = ofKind(objects, 'Service').map((one) => one.metadata.name);
    const hosts = Object.values(config.components).flatMap(({ url }) =>
      url === undefined ? [] : [new URL(url).hostname],
    );
    expect(hosts.filter((host) => !services.includes(host))).toEqual([]);
    const grace = spec.template.spec.terminationGracePeriodSeconds ?? Infinity; // jobs have none
    expect(grace).toBeGreaterThan(config.server.lameDuckSeconds + 15);
  }
});
