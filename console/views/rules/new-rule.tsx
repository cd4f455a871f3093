// A rule by form: what it makes, from what, by which workflow. The server checks it, its workflow is drawn, and it is
// registered as the next version of its name.
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { Link, useAddress, useHref } from '../../address/address.tsx';
import { operation } from '../../api/operation.ts';
import { useAction, useQuery } from '../../api/use-api.ts';
import { WriteInPresent } from '../../frame/in-present.tsx';
import { Missing, Page } from '../../frame/page.tsx';
import { useSession } from '../../frame/session.tsx';
import type {
  CheckRuleMutation,
  CheckRuleMutationVariables,
  RegisterRuleMutation,
  RegisterRuleMutationVariables,
} from '../../generated/api.ts';
import { Empty, Fault, Loading, Shown } from '../../parts/states.tsx';
import { ownLast, TYPE_INFOS } from '../../parts/type-infos.ts';
import { Given } from '../../parts/value.tsx';
import { definitionOf, draftOf, emptyDraft, mayWriteRule, type RuleDraft } from './rule-draft.ts';
import { About, Outputs, Source } from './rule-fields.tsx';
import { RULE_VERSIONS } from './rule-versions.ts';
import { WORKFLOW_PARTS } from './workflow-parts.ts';

const WorkflowPicture = lazy(() => import('./workflow-picture.tsx'));

const CHECK_RULE = operation<CheckRuleMutation, CheckRuleMutationVariables>(
  /* GraphQL */ `
    mutation CheckRule($definition: JSON!) {
      registerRule(definition: $definition, dryRun: true) {
        isValid
        violations {
          check
          message
        }
        workflow {
          ...WorkflowParts
        }
      }
    }
  `,
  WORKFLOW_PARTS,
);
const REGISTER_RULE = operation<RegisterRuleMutation, RegisterRuleMutationVariables>(/* GraphQL */ `
  mutation RegisterRule($definition: JSON!) {
    registerRule(definition: $definition) {
      rule {
        name
      }
    }
  }
`);
type Checked = CheckRuleMutation['registerRule'];

const Result = ({ of, draft }: { readonly of: Checked; readonly draft: RuleDraft }): ReactNode => (
  <>
    {of.isValid ? (
      <p className="notice good" role="status">
        The server would accept it.
      </p>
    ) : (
      <div className="notice alarm" role="alert">
        <strong>The server would refuse it.</strong>
        <ul>
          {of.violations.map(({ check, message }) => (
            <li key={`${check} ${message}`}>
              <Given text={message} most={500} />
            </li>
          ))}
        </ul>
      </div>
    )}
    {of.workflow && (
      <Suspense fallback={<Loading what="the picture" />}>
        <WorkflowPicture
          name={draft.name}
          requires={draft.requires.split('\n').filter((line) => line.trim() !== '')}
          produces={draft.outputs.map(({ type }) => type)}
          workflow={of.workflow}
        />
      </Suspense>
    )}
  </>
);

function RuleForm({
  first,
  isNew,
  types,
}: {
  readonly first: RuleDraft;
  readonly isNew: boolean;
  readonly types: readonly string[];
}): ReactNode {
  const { go } = useAddress();
  const href = useHref();
  const [draft, setDraft] = useState(first);
  const [checked, setChecked] = useState<Checked>();
  const definition = definitionOf(draft);
  const check = useAction(CHECK_RULE, { definition });
  const register = useAction(REGISTER_RULE, { definition });
  const change = (more: Partial<RuleDraft>): void => {
    setDraft((before) => ({ ...before, ...more }));
    setChecked(undefined);
  };
  return (
    <form
      className="stack"
      aria-label="Rule"
      onSubmit={(event) => {
        event.preventDefault();
        void check.run().then((done) => {
          setChecked(done?.registerRule);
        });
      }}
    >
      <About draft={draft} change={change} isNew={isNew} />
      <Outputs draft={draft} change={change} types={types} />
      <Source draft={draft} change={change} />
      {checked && <Result of={checked} draft={draft} />}
      {[check.error, register.error].map((error) => error && <Fault key={error.message} error={error} />)}
      <footer className="row">
        <button type="submit" className="button" disabled={check.isRunning}>
          Check
        </button>
        <button
          type="button"
          className="button first"
          disabled={checked?.isValid !== true || register.isRunning}
          onClick={() => {
            void register.run().then((done) => {
              const rule = done?.registerRule.rule;
              if (rule) go(href('rule', { name: rule.name }));
            });
          }}
        >
          Register
        </button>
      </footer>
    </form>
  );
}

/** For an address that somebody else has sent. */
const NotAllowed = ({ scope }: { readonly scope: string }): ReactNode =>
  scope === 'global' ? (
    <Empty title="This needs the role analyst">
      <p>Whoever has another role writes rules of their own alone, under names of their own.</p>
    </Empty>
  ) : (
    <Empty title={`${scope} alone writes this rule`} />
  );

export default function NewRule(): ReactNode {
  const { params } = useAddress();
  const { actor, is } = useSession();
  const of = params.get('of') ?? '';
  const isNew = of === '';
  const types = useQuery(TYPE_INFOS, {});
  const [name = ''] = of.split('@', 1);
  const known = useQuery(RULE_VERSIONS, { name }, { skip: isNew });
  const scope = is('analyst') ? 'global' : actor;
  const before = known.data?.rules.rules.find(({ rule }) => rule === of);
  if (!isNew && known.data && before === undefined) return <Missing title={`There is no rule ${of}`} />;
  return (
    <Page
      crumb={<Link to="rules">Rules and productions</Link>}
      title={isNew ? 'New rule' : <Given text={`New version of ${name}`} />}
      about="Which entities a workflow makes, and from what. It is checked before it is registered."
    >
      {before !== undefined && !mayWriteRule(before.scope, { actor, is }) ? (
        <NotAllowed scope={before.scope} />
      ) : (
        <WriteInPresent what="A new rule">
          <Shown answer={types} what="the types">
            {({ schemas }) =>
              !isNew && before === undefined ? (
                <Loading what="the rule" />
              ) : (
                <RuleForm
                  key={of}
                  first={before === undefined ? emptyDraft(scope) : draftOf(before.definition, scope)}
                  isNew={isNew}
                  types={ownLast(schemas).map((type) => type.name)}
                />
              )
            }
          </Shown>
        </WriteInPresent>
      )}
    </Page>
  );
}
