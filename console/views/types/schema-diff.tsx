// What differs between two versions of a schema, or two schemas.
import type { ReactNode } from 'react';
import { useAddress } from '../../address/address.tsx';
import { operation } from '../../api/operation.ts';
import { useQuery } from '../../api/use-api.ts';
import type { SchemaDiffQuery, SchemaDiffQueryVariables } from '../../generated/api.ts';
import { Differences, PART } from '../../parts/differences.tsx';
import { Empty, Shown } from '../../parts/states.tsx';
import { Given } from '../../parts/value.tsx';

const SCHEMA_DIFF = operation<SchemaDiffQuery, SchemaDiffQueryVariables>(
  /* GraphQL */ `
    query SchemaDiff($name: String!, $version: String, $toName: String, $toVersion: String) {
      schemaDiff(name: $name, version: $version, toName: $toName, toVersion: $toVersion) {
        isComplete
        differences {
          ...Part
        }
      }
    }
  `,
  PART,
);

/** A type at a version; at the current one without it. */
export interface TypeVersion {
  readonly name: string;
  readonly version: string | null;
}

export function SchemaDiff({
  of,
  and,
  label,
}: {
  readonly of: TypeVersion;
  readonly and: TypeVersion;
  readonly label: string;
}): ReactNode {
  const { at } = useAddress();
  const answer = useQuery(
    SCHEMA_DIFF,
    { ...of, toName: and.name === of.name ? null : and.name, toVersion: and.version },
    { at },
  );
  const titles = [of, and].map(({ name, version }) => (
    <Given
      key={name}
      text={of.name === and.name ? (version ?? 'current version') : `${name} ${version ?? ''}`}
    />
  ));
  return (
    <Shown answer={answer} what="the differences">
      {({ schemaDiff: diff }) =>
        diff === null ? (
          <Empty title="There are not both versions" />
        ) : (
          <Differences label={label} diff={diff} titles={[titles[0], titles[1]]} />
        )
      }
    </Shown>
  );
}
