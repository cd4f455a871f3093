// A Prometheus of Debian over a running product, and what the files of deploy/ ask it.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { projectRoot } from '../platform/project-root.ts';
import { freePort } from './testkit/free-port.ts';

const has = (command: string): boolean => spawnSync('which', [command]).status === 0;

export const hasPrometheus = has('prometheus') && has('promtool');

export const PROMETHEUS_FOLDER = path.join(projectRoot, 'deploy', 'prometheus');
const DASHBOARDS = path.join(projectRoot, 'deploy', 'grafana', 'dashboards');

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets: readonly { readonly expr: string }[];
  }[];
}
interface AlertFile {
  readonly groups: readonly {
    readonly rules: readonly { readonly alert: string; readonly expr: string }[];
  }[];
}

export interface Asked {
  /** The panel or the alert. */
  readonly of: string;
  readonly expr: string;
}

const dashboardExpressions = (): readonly Asked[] =>
  readdirSync(DASHBOARDS).flatMap((file) => {
    const { panels } = JSON.parse(readFileSync(path.join(DASHBOARDS, file), 'utf8')) as Dashboard;
    return panels.flatMap(({ title, targets }) =>
      targets.map(({ expr }) => ({ of: `${file}: ${title}`, expr })),
    );
  });

export const alertExpressions = (): readonly Asked[] => {
  const { groups } = parse(readFileSync(path.join(PROMETHEUS_FOLDER, 'alerts.yml'), 'utf8')) as AlertFile;
  return groups.flatMap(({ rules }) => rules.map(({ alert, expr }) => ({ of: alert, expr })));
};

/** The names of metrics in a text, without what the samples of histograms have behind them. */
const metricsIn = (text: string): readonly string[] => [
  ...new Set(
    [...text.matchAll(/\b(?:cairn|gateway|nodejs|process)_[a-z0-9_]+/g)].map(([name]) =>
      name.replace(/_(?:bucket|sum|count)$/, ''),
    ),
  ),
];

interface Prometheus extends AsyncDisposable {
  /** The values of an expression now. */
  ask(
    expr: string,
  ): Promise<{ readonly status: string; readonly values: readonly unknown[]; readonly error?: string }>;
}

/**
 * Scrapes the server every second, under the job of deploy/prometheus/prometheus.yml, and components beside it as that
 * file shows.
 */
export async function startPrometheus(
  serverUrl: string,
  metricsPath = '/api/v1/gateway/metrics',
  componentUrls: readonly string[] = [],
): Promise<Prometheus> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'cairn-prometheus-'));
  const port = await freePort();
  const config = `
global: {scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s}
rule_files: ["${path.join(PROMETHEUS_FOLDER, 'alerts.yml')}"]
scrape_configs:
  - job_name: cairn
    metrics_path: ${metricsPath}
    static_configs: [{targets: ["${new URL(serverUrl).host}"]}]
  - job_name: cairn-components
    metrics_path: /metrics
    relabel_configs: [{target_label: job, replacement: cairn}]
    static_configs: [{targets: ${JSON.stringify(componentUrls.map((url) => new URL(url).host))}}]
`;
  await writeFile(path.join(folder, 'prometheus.yml'), config);
  const child: ChildProcess = spawn(
    'prometheus',
    [
      `--config.file=${folder}/prometheus.yml`,
      `--storage.tsdb.path=${folder}/data`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  );
  return {
    async ask(expr) {
      const answer = await fetch(
        `http://127.0.0.1:${port}/api/v1/query?${new URLSearchParams({ query: expr }).toString()}`,
      ).catch(() => undefined); // it does not listen yet; then it is 503 until it is ready
      if (answer === undefined || answer.status === 503) return { status: 'unreachable', values: [] };
      const { status, data, error } = (await answer.json()) as {
        status: string;
        data?: { result: readonly unknown[] };
        error?: string;
      };
      return { status, values: data?.result ?? [], ...(error === undefined ? {} : { error }) };
    },
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** What of the dashboards and alerts has no answer. */
export async function unanswered(prometheus: Prometheus): Promise<readonly unknown[]> {
  const empty: unknown[] = [];
  for (const { of, expr } of dashboardExpressions()) {
    const { values, error } = await prometheus.ask(expr);
    if (values.length === 0) empty.push([of, expr, error]);
  }
  // an alert that does not fire has no values: what it asks for does
  for (const { of, expr } of alertExpressions()) {
    const { status, error } = await prometheus.ask(expr);
    if (status !== 'success') empty.push([of, expr, error]);
    for (const name of metricsIn(expr))
      // one scrape that was late would hide all of them
      if (
        (await prometheus.ask(`last_over_time({__name__=~"${name}(_bucket|_sum|_count)?"}[1m])`)).values
          .length === 0
      )
        empty.push([of, name]);
  }
  return empty;
}

/** The names of the table of docs/operations.md. */
export const documentedMetrics = (): readonly string[] =>
  [
    ...readFileSync(path.join(projectRoot, 'docs', 'operations.md'), 'utf8').matchAll(
      /^\| `((?:cairn|gateway)_[a-z0-9_]+)`/gm,
    ),
  ].flatMap(([, name]) => (name === undefined ? [] : [name]));
