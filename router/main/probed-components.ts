// The components for health probes, in this process and remote (docs/reference/gateway.md#health-report).
import type { Component } from '../../platform/component.ts';
import type { Config } from '../../platform/config/load-config.ts';
import type { Probed } from '../health/health.ts';
import type { Circuits } from '../circuit/circuit.ts';
import { httpProbe } from '../health/http-probe.ts';

export function probedComponents(
  config: Config,
  components: readonly Component[],
  problems: Readonly<Record<string, Probed['problem']>>,
  circuits: Circuits,
): Record<string, Probed> {
  return Object.fromEntries(
    Object.entries(config.components).map(([name, settings]): [string, Probed] => {
      const component = components.find((c) => c.name === name);
      const { url, healthPath, healthTimeoutMs, latencyObjectiveMs, healthIntervalSeconds } = settings;
      return [
        name,
        {
          url: url ?? `in-process:${name}`,
          timeoutMs: healthTimeoutMs,
          latencyObjectiveMs,
          ...(healthIntervalSeconds === undefined ? {} : { intervalMs: healthIntervalSeconds * 1000 }),
          async problem() {
            if (circuits.isOpen(name)) return 'circuit_open';
            return (component && (await problems[name]?.())) ?? null;
          },
          probe: (signal) => (component ? component.probe(signal) : httpProbe(`${url}${healthPath}`, signal)),
        },
      ];
    }),
  );
}
