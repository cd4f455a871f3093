// `cairn health` and `cairn whoami`: whether the platform works, and whom it takes the caller for.
import type { Command } from 'commander';
import { entries, member, rows } from '../api.ts';
import { clientCommand, clientOf, type CommonOptions } from '../command.ts';
import { Failure } from '../failure.ts';
import { facts, table } from '../output.ts';
import { askGraphql } from '../graphql.ts';
import type { Session } from '../session.ts';

export const healthCommand = (session: Session): Command =>
  clientCommand('health', 'show the health of all components; exits with status 1 if one is unhealthy', [
    'health',
    'health --json',
  ]).action(async (options: CommonOptions) => {
    const { api, printer } = clientOf(session, options);
    const report = await api.call({ path: '/api/v1/gateway/health', accepts: [503] });
    const status = String(member(report, 'status'));
    const hasProblems = typeof report === 'object' && report !== null && 'problems' in report;
    const problems = (hasProblems ? rows(report, 'problems') : []).map(
      ({ code, detail }) => `\n${String(code)}: ${String(detail)}`,
    );
    printer.answer(
      report,
      (paint) =>
        `${api.target.url} is ${status}\n${table(
          paint,
          ['COMPONENT', 'STATUS', 'MS', 'ADDRESS', 'DETAIL'],
          entries(member(report, 'components')).map(([name, c]) => [
            name,
            c['status'],
            c['latency_ms'],
            c['url'],
            c['detail'],
          ]),
        )}${problems.join('')}`,
    );
    if (status === 'unhealthy') throw new Failure('the platform is unhealthy', { status });
  });

export const whoamiCommand = (session: Session): Command =>
  clientCommand('whoami', 'show whom the platform takes you for: actor, roles and projects', [
    'whoami',
  ]).action(async (options: CommonOptions) => {
    const { api, printer } = clientOf(session, options);
    const me = member(await askGraphql(api, '{ me { actor roles projects } }'), 'me');
    const [roles, projects] = [member(me, 'roles'), member(me, 'projects')];
    printer.answer(me, (paint) =>
      facts(paint, {
        server: api.target.url,
        actor: member(me, 'actor'),
        roles: Array.isArray(roles) ? roles.join(', ') : roles,
        projects: Array.isArray(projects) ? projects.join(', ') || 'none' : 'all',
      }),
    );
  });
