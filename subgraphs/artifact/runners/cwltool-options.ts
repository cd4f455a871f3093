// The options of the cwltool command line, without the workflow and its inputs.
import type { Containers } from './containers.ts';
import { PROXY_VARIABLES } from './egress-proxy.ts';
import type { Directories } from './work-directory.ts';

/** @param usesProxy whether tools reach the network through the filtering proxy */
export function cwltoolOptions(
  containers: Containers | null,
  { outputs, scratch }: Pick<Directories, 'outputs' | 'scratch'>,
  usesProxy: boolean,
): readonly string[] {
  const variables = usesProxy ? Object.keys(PROXY_VARIABLES) : [];
  return [
    ...(containers?.args ?? ['--no-container', '--disable-pull']),
    '--disable-color',
    '--timestamps',
    '--skip-schemas',
    '--no-doc-cache',
    '--eval-timeout',
    '60',
    '--relax-path-checks',
    '--on-error',
    'stop',
    '--outdir',
    outputs,
    '--tmpdir-prefix',
    `${scratch}/`,
    '--tmp-outdir-prefix',
    `${scratch}/out`,
    ...variables.flatMap((variable) => ['--preserve-environment', variable]),
  ];
}
