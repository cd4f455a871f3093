// Converts events to a PROV-JSON document (W3C member submission of 24 April 2013).
import { Turn } from '../../../platform/turns.ts';
import { actorName, entityName, eventName, PREFIXES, qualified, runName, versionName } from './prov-names.ts';

export interface LoggedEvent {
  readonly id: string;
  readonly type: string;
  readonly entityId: string;
  readonly entityType: string;
  readonly actor: string;
  readonly timestamp: string;
  readonly schemaVersion: string;
  readonly context: unknown;
  readonly payload: Readonly<Record<string, unknown>>;
  /** The version that an update created. */
  readonly version?: number | null;
}

type Attribute = string | number | boolean | { readonly $: string; readonly type: string };
type Attributes = Readonly<Record<string, Attribute>>;

const RELATIONS = [
  'wasGeneratedBy',
  'used',
  'wasDerivedFrom',
  'wasInvalidatedBy',
  'wasAttributedTo',
  'wasAssociatedWith',
  'wasInformedBy',
  'specializationOf',
  'alternateOf',
] as const;
type Relation = (typeof RELATIONS)[number];

/** Names → attributes, by kind; empty kinds are omitted. */
export type ProvDocument = Readonly<
  { prefix: Readonly<Record<string, string>> } & Partial<
    Record<'entity' | 'activity' | 'agent' | Relation, Readonly<Record<string, Attributes>>>
  >
>;

/** The state of an entity that is valid at this point of the log. */
interface Standing {
  readonly name: string;
  readonly version: number;
  readonly again: number;
  readonly data: unknown;
  invalidated: boolean;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

class Builder {
  readonly #members = {
    entity: new Map<string, Attributes>(),
    activity: new Map<string, Attributes>(),
    agent: new Map<string, Attributes>(),
  };
  readonly #relations = new Map(RELATIONS.map((relation): [Relation, Attributes[]] => [relation, []]));
  readonly #standing = new Map<string, Standing>();

  add(event: LoggedEvent): void {
    const activity = this.#activity(event);
    const { entityId, payload } = event;
    const standing = this.#standing.get(entityId);
    this.#entity(entityId, event.entityType);
    switch (event.type) {
      case 'EntityCreated':
        this.#generate(event, activity, { version: 1, again: 0, data: payload['initial_state'] });
        return;
      case 'EntityUpdated': {
        // without a version: it records a supersession
        const changed = Array.isArray(payload['changed_fields']) && payload['changed_fields'].length > 0;
        if (!changed) return this.#use(activity, standing, event);
        if (payload['new_state'] === null) {
          // moved out of the reader's projects: for them the state ends here
          this.#use(activity, standing, event);
          return standing && this.#invalidate(activity, standing, event);
        }
        this.#generate(
          event,
          activity,
          { version: event.version ?? (standing?.version ?? 0) + 1, again: 0, data: payload['new_state'] },
          standing,
        ); // without a state: moved in from another project
        return standing && this.#invalidate(activity, standing, event);
      }
      case 'AvailabilityChanged':
        if (standing && payload['current'] === false) return this.#invalidate(activity, standing, event);
        if (!standing?.invalidated) return this.#use(activity, standing, event);
        this.#generate(event, activity, { ...standing, again: standing.again + 1 }, standing);
        return;
      case 'EntitySuperseded': {
        this.#use(activity, standing, event);
        const replacement = this.#entity(text(payload['superseded_by_id']));
        this.#relate('alternateOf', {
          'prov:alternate1': entityName(entityId),
          'prov:alternate2': replacement,
        });
        return;
      }
      case 'RelationshipCreated':
        this.#use(activity, standing, event);
        if (payload['to_id'] !== entityId)
          this.#relate('used', {
            'prov:activity': activity,
            'prov:entity': this.#entity(text(payload['to_id']), text(payload['to_type'])),
            'prov:time': event.timestamp,
          });
        return;
      default:
        this.#use(activity, standing, event);
    }
  }

  /** Of each kind that has members, its name and members. */
  *kinds(): Generator<readonly [string, Readonly<Record<string, Attributes>>]> {
    for (const [kind, members] of Object.entries(this.#members))
      if (members.size > 0) yield [kind, Object.fromEntries(members)];
    for (const [relation, all] of this.#relations)
      if (all.length > 0)
        yield [
          relation,
          Object.fromEntries(all.map((attributes, i) => [`_:${relation}${i + 1}`, attributes])),
        ];
  }

  /** The entity itself, independent of its states. */
  #entity(id: string, type?: string): string {
    const name = entityName(id);
    const known = this.#members.entity.get(name);
    if (!known || (type !== undefined && known['cairn:entity_type'] === undefined)) {
      this.#members.entity.set(name, {
        'prov:label': id,
        ...(type === undefined ? {} : { 'cairn:entity_type': type }),
      });
    }
    return name;
  }

  #activity(event: LoggedEvent): string {
    const { timestamp, actor, payload } = event;
    const name = eventName(event.id);
    const context = (
      typeof event.context === 'object' && event.context !== null ? event.context : {}
    ) as Readonly<Record<string, unknown>>; // an object has named members, a list does not
    this.#members.activity.set(name, {
      'prov:startTime': timestamp,
      'prov:endTime': timestamp,
      'prov:type': qualified(`cairn:${event.type}`),
      'cairn:schema_version': event.schemaVersion,
      ...(typeof payload['reason'] === 'string' ? { 'cairn:reason': payload['reason'] } : {}),
      ...(event.context === null ? {} : { 'cairn:context': JSON.stringify(event.context) }),
    });
    const agent = actorName(actor);
    this.#members.agent.set(agent, {
      'prov:label': actor,
      'prov:type': qualified(actor.startsWith('service:') ? 'prov:SoftwareAgent' : 'prov:Person'),
    });
    this.#relate('wasAssociatedWith', { 'prov:activity': name, 'prov:agent': agent });
    if (typeof context['workflow_run_id'] === 'string') {
      const run = runName(context['workflow_run_id']);
      this.#members.activity.set(run, {
        'prov:label': context['workflow_run_id'],
        ...(typeof context['workflow_name'] === 'string'
          ? { 'cairn:workflow_name': context['workflow_name'] }
          : {}),
      });
      this.#relate('wasInformedBy', { 'prov:informed': name, 'prov:informant': run });
    }
    return name;
  }

  /** A new state of the event's entity, a revision of the previous one if there is one. */
  #generate(
    event: LoggedEvent,
    activity: string,
    next: Pick<Standing, 'version' | 'again' | 'data'>,
    from?: Standing,
  ): void {
    const { entityId, entityType, actor, timestamp } = event;
    const name = versionName(entityId, next.version, next.again);
    this.#members.entity.set(name, {
      'prov:label': `${entityId}, version ${next.version}`,
      'cairn:entity_type': entityType,
      'cairn:version': next.version,
      'prov:value': JSON.stringify(next.data),
    });
    this.#relate('specializationOf', {
      'prov:specificEntity': name,
      'prov:generalEntity': entityName(entityId),
    });
    this.#relate('wasGeneratedBy', {
      'prov:entity': name,
      'prov:activity': activity,
      'prov:time': timestamp,
    });
    this.#relate('wasAttributedTo', { 'prov:entity': name, 'prov:agent': actorName(actor) });
    if (from) {
      this.#use(activity, from, event);
      this.#relate('wasDerivedFrom', {
        'prov:generatedEntity': name,
        'prov:usedEntity': from.name,
        ...(from.invalidated ? {} : { 'prov:activity': activity }),
        'prov:type': qualified('prov:Revision'),
      });
    }
    this.#standing.set(entityId, {
      name,
      version: next.version,
      again: next.again,
      data: next.data,
      invalidated: false,
    });
  }

  /**
   * In PROV a state has at most one end: one that ended when the entity became unavailable does not end
   * again.
   */
  #invalidate(activity: string, standing: Standing, { timestamp }: LoggedEvent): void {
    if (standing.invalidated) return;
    standing.invalidated = true;
    this.#relate('wasInvalidatedBy', {
      'prov:entity': standing.name,
      'prov:activity': activity,
      'prov:time': timestamp,
    });
  }

  /**
   * A state cannot be used after its end (PROV-CONSTRAINTS, usage-precedes-invalidation): then the entity
   * itself is used.
   */
  #use(activity: string, standing: Standing | undefined, { entityId, timestamp }: LoggedEvent): void {
    this.#relate('used', {
      'prov:activity': activity,
      'prov:entity': standing === undefined || standing.invalidated ? entityName(entityId) : standing.name,
      'prov:time': timestamp,
    });
  }

  #relate(relation: Relation, attributes: Attributes): void {
    this.#relations.get(relation)?.push(attributes);
  }
}

/**
 * An entity of the log is an entity in PROV, each of its versions a specialization of it; events are
 * activities, actors are agents. A version ends where the next begins or where the entity becomes
 * unavailable; becoming available again begins another state of the same version. Others run meanwhile.
 * @param events in log order, each entity's from its creation on
 */
export async function provDocument(events: readonly LoggedEvent[]): Promise<ProvDocument> {
  const builder = new Builder();
  const turn = new Turn();
  for (const event of events) {
    if (turn.isOver) await turn.next();
    builder.add(event);
  }
  const document: Record<string, object> = { prefix: PREFIXES };
  for (const [kind, members] of builder.kinds()) {
    document[kind] = members;
    if (turn.isOver) await turn.next();
  }
  return document as ProvDocument; // its names are those of kinds
}
