// Checks a workflow's demands against the operator's limits: container images and resources
// (docs/reference/artifact.md#demands-of-a-workflow).
import type { Config } from '../../../platform/config/load-config.ts';
import type { CwlDemands } from '../cwl/requirements.ts';
import { networkTrouble } from '../runners/network.ts';
import { type Violation, violation } from './violation.ts';

export type Allowance = Pick<Config['artifact'], 'allowedImages' | 'limits' | 'runner'>;

const MIB = 2 ** 20;

/**
 * Whether a name matches a pattern in which `*` stands for any text. Takes time proportional to the product
 * of both lengths.
 */
function isLike(name: string, pattern: string): boolean {
  const [first = '', ...parts] = pattern.split('*');
  const last = parts.pop();
  if (last === undefined) return name === pattern;
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length)
    return false;
  let at = first.length;
  for (const part of parts) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= name.length - last.length;
}

function checkImages(
  { images, otherContainers }: Pick<CwlDemands, 'images' | 'otherContainers'>,
  allowed: readonly string[],
): readonly Violation[] {
  const list = allowed.join(', ');
  return [
    ...images
      .filter((image) => !allowed.some((pattern) => isLike(image, pattern)))
      .map((image) =>
        violation('image', `the container image ${image} is not allowed (allowed images: ${list})`),
      ),
    ...otherContainers.map((field) =>
      violation(
        'image',
        `${field}: only images that are allowed by name may be used (allowed images: ${list})`,
      ),
    ),
  ];
}

/** Demands that the local runner would always refuse or fail at. */
function checkRunner(demands: KnownDemands, runner: Allowance['runner']): readonly Violation[] {
  if (runner.type !== 'cwltool') return [];
  const network = networkTrouble(demands, runner);
  const { software = [] } = demands;
  return [
    ...(network === null ? [] : [violation('network', network)]),
    ...(software.length === 0
      ? []
      : [
          violation(
            'software',
            `the workflow requires software by SoftwareRequirement (${software.join(', ')}), which cannot be checked here: move it to the hints, and provide its programs on the PATH, in artifact.runner.tool_paths, or in a container image`,
          ),
        ]),
  ];
}

/** Older registrations lack demands that were not checked then. */
type KnownDemands = Omit<CwlDemands, 'networkRequired' | 'software'> &
  Partial<Pick<CwlDemands, 'networkRequired' | 'software'>>;

/** Demands with expressions can only be checked when the workflow runs. */
export function checkDemands(
  demands: KnownDemands,
  { allowedImages, limits, runner }: Allowance,
): readonly Violation[] {
  const { resources, seconds } = demands;
  const asked = (name: string): number => {
    const value = resources[`${name}Min`] ?? resources[`${name}Max`];
    return typeof value === 'number' ? value : 0;
  };
  const over = (what: string, wanted: number, most: number, unit: string): readonly Violation[] =>
    wanted > most
      ? [violation('limit', `the workflow requests ${wanted}${unit} of ${what}; the limit is ${most}${unit}`)]
      : [];
  return [
    ...(allowedImages === undefined ? [] : checkImages(demands, allowedImages)),
    ...checkRunner(demands, runner),
    ...over('cores', asked('cores'), limits.cores, ''),
    ...over('RAM', asked('ram'), Math.floor(limits.ram / MIB), ' MiB'),
    ...over('disk', asked('tmpdir') + asked('outdir'), Math.floor(limits.disk / MIB), ' MiB'),
    ...over('time', typeof seconds === 'number' ? seconds : 0, limits.timeSeconds, ' s'),
  ];
}
