// The types of the log's events.

/** The ten event types of docs/reference/metadata.md#event-types. */
export const EVENT_TYPES = [
  'EntityCreated',
  'EntityUpdated',
  'AvailabilityChanged',
  'EntitySuperseded',
  'RelationshipCreated',
  'RelationshipRemoved',
  'ExternalIdAdded',
  'ExternalIdSuperseded',
  'MigrationApplied',
  'ReferenceDataInstalled',
] as const;
