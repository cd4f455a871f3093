// What becomes of the container images that a workflow names (docs/reference/artifact.md#container-images).
import type { CwlDemands } from '../cwl/requirements.ts';

export type ContainerEngine = 'none' | 'docker' | 'podman' | 'singularity' | 'udocker';

export interface ContainerSettings {
  readonly containerEngine: ContainerEngine;
  /** For tools that name no image in workflows where others do. */
  readonly defaultImage?: string | undefined;
  /**
   * The engine's network for tools that ask for one: what it leads to is the operator's to filter. `none`:
   * they get none.
   */
  readonly containerNetwork: string;
}

/** A workflow's images. Partly unknown for old registrations. */
export type ImageDemands = Pick<CwlDemands, 'images' | 'otherContainers'> &
  Partial<Pick<CwlDemands, 'imagesRequired' | 'withoutImage'>>;

export const namesImages = ({ images, otherContainers }: ImageDemands): boolean =>
  images.length + otherContainers.length > 0;

/** A remark on images of a workflow that are not used; null for none. */
export const imageNote = (demands: ImageDemands, { containerEngine }: ContainerSettings): string | null =>
  containerEngine === 'none' && namesImages(demands)
    ? `container images are not used (${[...demands.images, ...demands.otherContainers].join(', ')}): the tools of this machine are used instead (artifact.runner.container_engine)`
    : null;

/**
 * Why a workflow cannot run because of its images; null if it can. The engine's availability is checked
 * separately.
 */
export function imageTrouble(
  demands: ImageDemands,
  { containerEngine, defaultImage }: ContainerSettings,
): string | null {
  if (!namesImages(demands)) return null;
  if (containerEngine === 'none') {
    return demands.imagesRequired === true
      ? `the workflow requires container images (${[...demands.images, ...demands.otherContainers].join(', ')}), which cannot be run here: set artifact.runner.container_engine to docker, podman, singularity or udocker`
      : null;
  }
  if (demands.otherContainers.length > 0)
    return `the workflow builds or loads container images itself (${demands.otherContainers.join(', ')}): only images that are pulled by name can be run`;
  return demands.withoutImage === true && defaultImage === undefined
    ? 'the workflow names container images for only some of its tools: name images for all tools, or set artifact.runner.default_image'
    : null;
}
