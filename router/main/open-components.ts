// Opens the platform's own components: in this process, or at the addresses of others.
import type { Component } from '../../platform/component.ts';
import type { Releasers } from '../../platform/releasers.ts';
import type { SignIdentity } from '../../platform/signed-identity/identity-signer.ts';
import type { Tracing } from '../../platform/tracing/tracing.ts';
import type { Circuits } from '../circuit/circuit.ts';
import { createRemoteComponent } from '../remote/remote-component.ts';
import { COMPONENT_KINDS, type ComponentDeps } from './component-kinds.ts';

export interface OpenedComponents {
  readonly parts: readonly Component[];
  /** Does what components have to do before requests are taken, once the platform can be asked. */
  readonly begin: () => Promise<void>;
}

export async function openComponents(
  around: Omit<ComponentDeps, 'onReady'>,
  sign: SignIdentity,
  circuits: Circuits,
  tracing: Tracing | undefined,
  releasers: Releasers,
): Promise<OpenedComponents> {
  const beginnings: (() => Promise<void>)[] = [];
  const onReady = (work: () => Promise<void>): void => {
    beginnings.push(work);
  };
  const made: Component[] = [];
  for (const kind of COMPONENT_KINDS) {
    const settings = around.config.components[kind.name];
    if (settings.kind === 'rest') continue;
    made.push(
      settings.url === undefined
        ? await kind.create({ ...around, onReady })
        : createRemoteComponent({
            name: kind.name,
            url: settings.url,
            healthPath: settings.healthPath,
            timeoutMs: settings.timeoutMs,
            sign,
            circuit: circuits.of(kind.name),
            hasFiles: kind.name === 'artifact',
          }),
    );
  }
  for (const part of made) releasers.add(part.name, () => part.close());
  return {
    parts: tracing ? made.map((part) => tracing.component(part)) : made,
    begin: async () => {
      await Promise.all(beginnings.map((work) => work()));
    },
  };
}
