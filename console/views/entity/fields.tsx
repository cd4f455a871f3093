// The fields of an entity by its schema, and the ids that others know it by.
import type { ReactNode } from 'react';
import { Instant, Value } from '../../parts/value.tsx';
import { dataOf, type Entity, type EntityType } from './read.ts';

/** Fields of the data that the current schema does not have: an earlier one may have had them. */
const unknownOf = (entity: Entity, type: EntityType | undefined): readonly string[] =>
  Object.keys(dataOf(entity)).filter((name) => type?.allFields.some((field) => field.name === name) !== true);

export function Fields({
  entity,
  type,
}: {
  readonly entity: Entity;
  readonly type: EntityType | undefined;
}): ReactNode {
  const data = dataOf(entity);
  return (
    <div className="columns">
      <section className="card" aria-labelledby="fields">
        <h2 id="fields">Fields</h2>
        <dl className="facts">
          {(type?.allFields ?? []).map((field) => (
            <div key={field.name} className="contents">
              <dt title={field.description ?? undefined}>
                <bdi>{field.name}</bdi>
              </dt>
              <dd>
                <Value value={data[field.name]} field={field} />
              </dd>
            </div>
          ))}
          {unknownOf(entity, type).map((name) => (
            <div key={name} className="contents">
              <dt>
                <bdi>{name}</bdi> <span className="quiet small">(not in the schema)</span>
              </dt>
              <dd>
                <Value value={data[name]} />
              </dd>
            </div>
          ))}
        </dl>
      </section>
      <section className="card" aria-labelledby="about">
        <h2 id="about">About it</h2>
        <dl className="facts">
          <dt>version</dt>
          <dd>{entity.version}</dd>
          <dt>created</dt>
          <dd>
            <Instant iso={entity.createdAt} />
          </dd>
          <dt>changed</dt>
          <dd>
            <Instant iso={entity.updatedAt} />
          </dd>
          <dt>project</dt>
          <dd>
            {entity.project === null ? (
              <span className="quiet">shared by all</span>
            ) : (
              <bdi>{entity.project}</bdi>
            )}
          </dd>
          <dt>external ids</dt>
          <dd>
            {entity.externalIds.length === 0 && <span className="quiet">none</span>}
            <ul>
              {entity.externalIds.map((one) => (
                <li key={one.id}>
                  <bdi>{one.externalId}</bdi> <span className="quiet small">{one.idType}</span>
                </li>
              ))}
            </ul>
          </dd>
        </dl>
      </section>
    </div>
  );
}
