// One rule: its workflow as a picture, its definition, its versions and what differs between two of them.
import { lazy, type ReactNode, Suspense } from 'react';
import { Link, useAddress } from '../../address/address.tsx';
import { useQuery } from '../../api/use-api.ts';
import { Missing, Page, useTab } from '../../frame/page.tsx';
import { useSession } from '../../frame/session.tsx';
import { Empty, Loading, Shown } from '../../parts/states.tsx';
import { Status } from '../../parts/status.tsx';
import { Table } from '../../parts/table.tsx';
import { agoText } from '../../parts/text.ts';
import { Given, Json } from '../../parts/value.tsx';
import { useTwoVersions } from '../../parts/version-choice.tsx';
import { embeddedText, mayWriteRule } from './rule-draft.ts';
import { RuleDiff } from './rule-diff.tsx';
import { RULE_VERSIONS, type RuleVersion } from './rule-versions.ts';

const NewRule = lazy(() => import('./new-rule.tsx'));
/** With its layout, a file of its own. */
const WorkflowPicture = lazy(() => import('./workflow-picture.tsx'));

const TABS = [
  { key: 'workflow', title: 'Workflow' },
  { key: 'definition', title: 'Definition' },
  { key: 'versions', title: 'Versions' },
] as const;

/** The text of an embedded workflow. */
const textOf = ({ execute: { cwlContent } }: RuleVersion): string | undefined =>
  cwlContent === null ? undefined : embeddedText(cwlContent);

function Versions({ versions }: { readonly versions: readonly RuleVersion[] }): ReactNode {
  const [from, to, choice] = useTwoVersions(versions.map(({ version }) => String(version)));
  const { name } = versions[0] ?? { name: '' };
  return (
    <>
      <Table
        label="Versions"
        rows={versions.toReversed()}
        keyOf={({ rule }) => rule}
        columns={[
          {
            key: 'version',
            title: 'version',
            cell: ({ name, version }) => (
              <Link to="rule" params={{ name, version: String(version) }}>
                {version}
              </Link>
            ),
          },
          { key: 'status', title: 'state', cell: ({ status }) => <Status of={status} /> },
          { key: 'scope', title: 'scope', cell: ({ scope }) => <Given text={scope} /> },
          { key: 'by', title: 'by', cell: ({ registeredBy }) => <Given text={registeredBy} /> },
          { key: 'at', title: 'registered', cell: ({ registeredAt }) => agoText(registeredAt) },
        ]}
      />
      {versions.length > 1 && (
        <>
          {choice}
          <RuleDiff label={`Version ${from} and ${to}`} of={`${name}@${from}`} and={`${name}@${to}`} />
        </>
      )}
      <p>
        <Link to="compare" params={{ of: 'rule', one: `${name}@${to}` }}>
          Compare with another rule
        </Link>
      </p>
    </>
  );
}

function Definition({ version }: { readonly version: RuleVersion }): ReactNode {
  const text = textOf(version);
  return (
    <>
      {text !== undefined && (
        <pre className="code" tabIndex={0} role="region" aria-label="The text of the workflow">
          {text}
        </pre>
      )}
      <Json value={version.definition} />
    </>
  );
}

function Workflow({ version }: { readonly version: RuleVersion }): ReactNode {
  const { workflow } = version;
  if (workflow === null)
    return (
      <Empty title="The workflow is not known">
        <p>Its documents are not stored: register the rule again.</p>
      </Empty>
    );
  return (
    <Suspense fallback={<Loading what="the picture" />}>
      <WorkflowPicture
        name={version.name}
        requires={version.requires.map(({ ref }) => ref)}
        produces={version.produces.map(({ entityType }) => entityType)}
        workflow={workflow}
      />
    </Suspense>
  );
}

export default function Rule(): ReactNode {
  const { params } = useAddress();
  return params.has('new') ? <NewRule /> : <Known />;
}

function Known(): ReactNode {
  const { at, params } = useAddress();
  const name = params.get('name') ?? '';
  const session = useSession();
  const answer = useQuery(RULE_VERSIONS, { name }, { at });
  const [tab, bar] = useTab(TABS);
  return (
    <Shown answer={answer} what="the rule">
      {({ rules: { rules: versions } }) => {
        const shown =
          versions.find(({ version }) => String(version) === params.get('version')) ??
          versions.find(({ status }) => status === 'active') ??
          versions.at(-1);
        if (shown === undefined)
          return (
            <Missing
              title={at === undefined ? `There is no rule ${name}` : `There was no rule ${name} then`}
            />
          );
        return (
          <Page
            crumb={<Link to="rules">Rules and productions</Link>}
            title={
              <>
                <Given text={shown.rule} /> <Status of={shown.status} />
              </>
            }
            about={<Given text={shown.description ?? 'No description.'} />}
            actions={
              <>
                <Link to="why" params={{ subject: `rule:${shown.rule}` }} className="button">
                  Why it exists
                </Link>
                {at === undefined && mayWriteRule(shown.scope, session) && (
                  <Link to="rule" params={{ new: '1', of: shown.rule }} className="button">
                    New version
                  </Link>
                )}
              </>
            }
          >
            {bar}
            {tab === 'workflow' && <Workflow version={shown} />}
            {tab === 'definition' && <Definition version={shown} />}
            {tab === 'versions' && <Versions versions={versions} />}
          </Page>
        );
      }}
    </Shown>
  );
}
