// Makes the runner that the configuration names.
import type { Config } from '../../../platform/config/load-config.ts';
import { CwltoolRunner } from './cwltool-runner.ts';
import type { Egress } from './egress-proxy.ts';
import type { Runner } from './runner.ts';
import { type FetchOutput, WesRunner } from './wes-runner.ts';

/**
 * @param fetchOutput brings outputs that a service elsewhere has put somewhere else
 * @param egress where tools that ask for the network may connect to
 */
export function createRunner(
  { runner, limits }: Pick<Config['artifact'], 'runner' | 'limits'>,
  fetchOutput: FetchOutput,
  egress: Egress,
): Runner {
  return runner.type === 'cwltool'
    ? new CwltoolRunner(runner, limits, egress)
    : new WesRunner(runner, limits, fetchOutput);
}
