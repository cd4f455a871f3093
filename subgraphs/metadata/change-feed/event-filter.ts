// The filter of a feed: CEL over an event's own fields.
import type { CelBindings } from '../../../platform/cel/bindings.ts';
import { compileCel } from '../../../platform/cel/compile.ts';
import { jsonValue } from '../../../platform/cel/json-values.ts';
import type { CelVariables } from '../../../platform/cel/kinds.ts';
import { parseTimestamp } from '../../../platform/cel/timestamps.ts';
import { invalid } from '../../../platform/errors.ts';
import type { FeedEvent } from './feed-event.ts';

const EVENT_VARIABLES: CelVariables = {
  event_type: 'string',
  entity_id: 'any',
  entity_type: 'any',
  actor: 'string',
  timestamp: 'timestamp',
  schema_version: 'string',
  context: 'any',
  payload: 'map',
};

const bindings = (event: FeedEvent): CelBindings => ({
  lookup(name) {
    switch (name) {
      case 'event_type':
        return event.eventType;
      case 'entity_id':
        return event.entityId;
      case 'entity_type':
        return event.entityType;
      case 'actor':
        return event.actor;
      case 'timestamp':
        return parseTimestamp(event.timestamp);
      case 'schema_version':
        return event.schemaVersion;
      case 'context':
        return jsonValue(event.context);
      case 'payload':
        return jsonValue(event.payload);
      default:
        return undefined;
    }
  },
});

/**
 * An event matches if the whole expression is true; an expression that fails for it does not match
 * (docs/reference/metadata.md#feed-filters, docs/reference/cel.md#errors-as-values).
 * @throws CelError for an invalid expression; the returned function throws DomainError `validation_failed` if
 * it takes too many steps
 */
export function eventFilter(expression: string): (event: FeedEvent) => boolean {
  const program = compileCel(expression, { variables: EVENT_VARIABLES });
  return (event) => {
    const outcome = program.evaluate(bindings(event));
    if (!outcome.ok && outcome.exhausted) throw invalid('filter: the expression takes too many steps');
    return outcome.ok && outcome.value;
  };
}
