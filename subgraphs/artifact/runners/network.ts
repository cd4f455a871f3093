// The network access of workflows, and the messages about it.
import type { CwlDemands } from '../cwl/requirements.ts';
import { type ContainerSettings, type ImageDemands, namesImages } from './image-demands.ts';

/** `none`: none. `filtered`: through the proxy, by http and https. */
export type NetworkPolicy = 'none' | 'filtered';

export interface NetworkSettings extends ContainerSettings {
  readonly network: NetworkPolicy;
}

/** A workflow's network requirements; unknown for old registrations. */
export type NetworkDemands = ImageDemands & Partial<Pick<CwlDemands, 'network' | 'networkRequired'>>;

const isContained = (demands: NetworkDemands, { containerEngine }: NetworkSettings): boolean =>
  containerEngine !== 'none' && namesImages(demands);

/** Why a workflow that requires the network cannot run; null if it can. */
export function networkTrouble(demands: NetworkDemands, settings: NetworkSettings): string | null {
  if (demands.networkRequired !== true) return null;
  if (settings.network === 'none')
    return 'the workflow requires NetworkAccess, but tools have no network access here (artifact.runner.network)';
  return isContained(demands, settings) && settings.containerNetwork === 'none'
    ? 'the workflow requires NetworkAccess, but tools in containers have no network access here (artifact.runner.container_network)'
    : null;
}

/** A remark on a workflow that requests the network; null for none. */
export function networkNote(demands: NetworkDemands, settings: NetworkSettings): string | null {
  if (demands.network !== true) return null;
  if (settings.network === 'none') return 'its tools have no network access (artifact.runner.network)';
  if (isContained(demands, settings))
    return settings.containerNetwork === 'none'
      ? 'its tools run in containers without network access (artifact.runner.container_network)'
      : null;
  return 'its tools can only access the network by http and https, through the proxy in http_proxy and https_proxy';
}
