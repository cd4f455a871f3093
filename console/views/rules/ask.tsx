// Asks for an artifact: which type, which fields it must have; shows the plan first, then produces.
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useAddress, useHref } from '../../address/address.tsx';
import { operation } from '../../api/operation.ts';
import { type Answer, useAction, useQuery } from '../../api/use-api.ts';
import { Page } from '../../frame/page.tsx';
import { useSession } from '../../frame/session.tsx';
import type {
  FirstMadeQuery,
  PlanQuery,
  PlanQueryVariables,
  ProduceMutation,
  ProduceMutationVariables,
} from '../../generated/api.ts';
import { valueOf } from '../../parts/form-values.ts';
import { Field, Select } from '../../parts/form.tsx';
import { Empty, Fault, Loading, Shown } from '../../parts/states.tsx';
import { firstOf, ownLast, TYPE_INFOS, type TypeInfo } from '../../parts/type-infos.ts';
import { EntityLink } from '../../parts/value.tsx';
import { Costs } from './costs.tsx';
import { type More, MoreWishes, parametersIn } from './more-wishes.tsx';
import { NoPlan, Plan, type PlanNode } from './plan.tsx';

/** What a rule makes: where no type was chosen, there is something that can be asked for. */
const FIRST_MADE = operation<FirstMadeQuery>(/* GraphQL */ `
  query FirstMade {
    rules(status: active, limit: 1) {
      rules {
        produces {
          entityType
        }
      }
    }
  }
`);
const PLAN = operation<PlanQuery, PlanQueryVariables>(/* GraphQL */ `
  query Plan($type: String!, $criteria: JSON!, $parameters: JSON, $rule: ID, $reuse: ArtifactReuse!) {
    resolveArtifact(
      entityType: $type
      criteria: $criteria
      parameters: $parameters
      rule: $rule
      reuse: $reuse
    ) {
      decision
      rule
      plan
      planHash
      entity {
        id
      }
    }
  }
`);
const PRODUCE = operation<ProduceMutation, ProduceMutationVariables>(/* GraphQL */ `
  mutation Produce(
    $type: String!
    $criteria: JSON!
    $parameters: JSON
    $rule: ID
    $reuse: ArtifactReuse!
    $planHash: String
  ) {
    produceArtifact(
      entityType: $type
      criteria: $criteria
      parameters: $parameters
      rule: $rule
      reuse: $reuse
      planHash: $planHash
    ) {
      decision
      entity {
        id
      }
      production {
        id
      }
    }
  }
`);

function criteriaOf(params: URLSearchParams, { allFields }: TypeInfo): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    allFields.flatMap((field) => {
      const text = params.get(`c.${field.name}`);
      return text === null ? [] : [[field.name, valueOf(text, field)]];
    }),
  );
}

type Asking = Omit<PlanQueryVariables, 'at'>;

/** What the address asks for; undefined where its parameters are no object. */
function askingOf(params: URLSearchParams, type: TypeInfo): Asking | undefined {
  const parameters = parametersIn(params.get('parameters') ?? '');
  if (parameters === undefined) return undefined;
  const reuse = params.get('reuse') === 'fresh' ? 'fresh' : 'any';
  return { type: type.name, criteria: criteriaOf(params, type), parameters, rule: params.get('rule'), reuse };
}

function Wish({ type }: { readonly type: TypeInfo }): ReactNode {
  const { params, set } = useAddress();
  const fields = type.allFields.filter(({ many, type: kind }) => !many && kind !== 'json');
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(fields.map(({ name }) => [name, params.get(`c.${name}`) ?? ''])),
  );
  const [more, setMore] = useState<More>({
    parameters: params.get('parameters') ?? '',
    rule: params.get('rule') ?? '',
    isFresh: params.get('reuse') === 'fresh',
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const criteria = fields.map(({ name }) => [`c.${name}`, texts[name]?.trim() || undefined]);
    // pairs of a name and a text, made above
    set({
      ...(Object.fromEntries(criteria) as Record<string, string | undefined>),
      parameters: more.parameters.trim(),
      rule: more.rule.trim(),
      reuse: more.isFresh ? 'fresh' : undefined,
      plan: '1',
    });
  };
  return (
    <form className="card" onSubmit={submit} aria-label="Wish">
      <p className="quiet">
        Fill in what you know; leave the rest empty. A stored one that matches is reused, otherwise a rule
        makes it.
      </p>
      <div className="columns">
        {fields.map((field) => (
          <Field
            key={field.name}
            id={`wish-${field.name}`}
            label={field.name}
            hint={field.description ?? undefined}
          >
            <input
              id={`wish-${field.name}`}
              list={field.values ? `values-${field.name}` : undefined}
              value={texts[field.name] ?? ''}
              autoComplete="off"
              onChange={(event) => {
                setTexts((now) => ({ ...now, [field.name]: event.target.value }));
              }}
            />
            {field.values && (
              <datalist id={`values-${field.name}`}>
                {field.values.map((value) => (
                  <option key={value} value={value} />
                ))}
              </datalist>
            )}
          </Field>
        ))}
      </div>
      <MoreWishes more={more} onChange={setMore} />
      <div>
        <button type="submit" className="button first" disabled={parametersIn(more.parameters) === undefined}>
          Show the plan
        </button>
      </div>
    </form>
  );
}

function Proposal({
  answer,
  asking,
}: {
  readonly answer: Answer<PlanQuery>;
  readonly asking: Asking;
}): ReactNode {
  const { is } = useSession();
  const { at, go } = useAddress();
  const mayProduce = is('analyst') && at === undefined;
  const href = useHref();
  const { decision: decided, planHash } = answer.data?.resolveArtifact ?? {};
  const { run, isRunning, error } = useAction(
    PRODUCE,
    mayProduce && decided !== undefined && decided !== 'reuse' ? { ...asking, planHash } : undefined,
  );
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    // it is below a form that may be long
    place.current?.scrollIntoView({ block: 'nearest' });
  }, [planHash]);
  if (answer.error && answer.data === undefined)
    return (
      <div className="stack">
        <Fault error={answer.error} onRetry={answer.reload} />
        <NoPlan details={answer.error.details} />
      </div>
    );
  return (
    <Shown answer={answer} what="the plan">
      {({ resolveArtifact: { decision, entity, plan } }) => (
        <section className="stack" aria-labelledby="plan" ref={place}>
          <h2 id="plan">Plan</h2>
          <Plan plan={plan} />
          <Costs plan={plan as PlanNode /* the JSON that the API makes of a plan */} />
          {error && <Fault error={error} onRetry={answer.reload} />}
          {decision === 'reuse' && entity !== null && (
            <p className="notice good">
              <span>
                It exists: <EntityLink id={entity.id} />
              </span>
            </p>
          )}
          {decision !== 'reuse' && mayProduce && (
            <div>
              <button
                type="button"
                className="button first"
                disabled={isRunning}
                onClick={() => {
                  void run().then((done) => {
                    const { production = null, entity: reused = null } = done?.produceArtifact ?? {};
                    if (production) go(href('production', { id: production.id }));
                    else if (reused) go(href('entity', { id: reused.id }));
                  });
                }}
              >
                Produce it
              </button>
            </div>
          )}
        </section>
      )}
    </Shown>
  );
}

function Asked({ type }: { readonly type: TypeInfo }): ReactNode {
  const { at, params } = useAddress();
  const asking = askingOf(params, type);
  const isAsked = params.get('plan') === '1' && asking !== undefined;
  const answer = useQuery(PLAN, asking ?? { type: type.name, criteria: {}, reuse: 'any' }, {
    skip: !isAsked,
    at,
  });
  return (
    <>
      <Wish type={type} />
      {/* neither the plan of another wish is shown for this one, nor one that cannot be had any more */}
      {isAsked && (
        <Proposal
          answer={answer.isLoading || answer.error ? { ...answer, data: undefined } : answer}
          asking={asking}
        />
      )}
    </>
  );
}

export default function Ask(): ReactNode {
  const { at, params, go } = useAddress();
  const href = useHref();
  const chosen = params.get('type');
  const answer = useQuery(TYPE_INFOS, {});
  const made = useQuery(FIRST_MADE, {}, { skip: chosen !== null, at });
  return (
    <Page
      crumb={<Link to="rules">Rules and productions</Link>}
      title="Ask for an artifact"
      about="Say what you need. The plan shows how it can be had; nothing is made before you say so."
    >
      <Shown answer={answer} what="the types">
        {({ schemas }) => {
          if (made.isLoading) return <Loading what="the rules" />;
          const asked = chosen ?? made.data?.rules.rules[0]?.produces[0]?.entityType;
          const type = asked === undefined ? firstOf(schemas) : schemas.find(({ name }) => name === asked);
          if (type === undefined) return <Empty title="There is no such type" />;
          return (
            <>
              <Field id="wish-type" label="Type">
                <span className="narrow">
                  <Select
                    id="wish-type"
                    value={type.name}
                    choices={ownLast(schemas).map(({ name }) => name)}
                    onChange={(name) => {
                      go(href('ask', { type: name }));
                    }}
                  />
                </span>
              </Field>
              <Asked key={type.name} type={type} />
            </>
          );
        }}
      </Shown>
    </Page>
  );
}
