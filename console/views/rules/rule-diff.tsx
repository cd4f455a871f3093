// What differs between two versions of a rule, or two rules: down to the lines of workflows that are embedded.
import type { ReactNode } from 'react';
import { useAddress } from '../../address/address.tsx';
import { operation } from '../../api/operation.ts';
import { useQuery } from '../../api/use-api.ts';
import type { RuleDiffQuery, RuleDiffQueryVariables } from '../../generated/api.ts';
import { Differences, PART, TextDifferences } from '../../parts/differences.tsx';
import { Empty, Shown } from '../../parts/states.tsx';
import { Given } from '../../parts/value.tsx';
import { embeddedText } from './rule-draft.ts';

const RULE_DIFF = operation<RuleDiffQuery, RuleDiffQueryVariables>(
  /* GraphQL */ `
    query RuleDiff($name: ID!, $toName: ID!) {
      ruleDiff(name: $name, toName: $toName) {
        isComplete
        before {
          ...ComparedRule
        }
        after {
          ...ComparedRule
        }
        differences {
          ...Part
        }
      }
    }
    fragment ComparedRule on ProductionRule {
      rule
      execute {
        cwlContent
      }
    }
  `,
  PART,
);
type Rule = NonNullable<RuleDiffQuery['ruleDiff']>['before'];

/** The text of an embedded workflow. */
const textOf = ({ execute: { cwlContent } }: Rule): string | undefined =>
  cwlContent === null ? undefined : embeddedText(cwlContent);

/** @param of `name@version`, or a name for its active version */
export function RuleDiff({
  of,
  and,
  label,
}: {
  readonly of: string;
  readonly and: string;
  readonly label: string;
}): ReactNode {
  const { at } = useAddress();
  const answer = useQuery(RULE_DIFF, { name: of, toName: and }, { at });
  return (
    <Shown answer={answer} what="the differences">
      {({ ruleDiff: diff }) => {
        if (diff === null) return <Empty title="There are not both rules, or you may not see both" />;
        const { before, after } = diff;
        const texts = [textOf(before), textOf(after)] as const;
        return (
          <>
            <Differences
              label={label}
              diff={diff}
              titles={[<Given key="before" text={before.rule} />, <Given key="after" text={after.rule} />]}
            />
            {texts[0] !== undefined && texts[1] !== undefined && texts[0] !== texts[1] && (
              <TextDifferences label="The text of the workflow" before={texts[0]} after={texts[1]} />
            )}
          </>
        );
      }}
    </Shown>
  );
}
