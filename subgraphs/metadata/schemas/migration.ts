// What a change of a schema may do to what is stored.
import type { Author } from '../log/write.ts';
import type { FaultRow, ReferenceField } from '../reference-checks/reference-fault.ts';
import type { SchemaDefinition } from '../schema-model/definition.ts';
import type { FieldIndex } from '../schema-model/marked-fields.ts';
import type { SchemaCatalogue } from '../schema-model/schema-catalogue.ts';
import type { UniqueKey } from '../schema-model/unique-key.ts';
export interface StoredData {
  readonly id: string;
  readonly entityType: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** What a migration may do while it holds the log's lock. */
export interface Migration {
  catalogue(): Promise<SchemaCatalogue>;
  /** Every stored entity of the types, page by page. */
  stored(types: readonly string[]): AsyncIterable<readonly StoredData[]>;
  /** References of these fields that lead to no entity of the types that they refer to, page by page. */
  referenceFaults(fields: readonly ReferenceField[]): AsyncIterable<readonly FaultRow[]>;
  dropUniques(scope: string, field: string): Promise<void>;
  /** Ids of holders that were there already. */
  takeUniques(keys: readonly (UniqueKey & { entityId: string })[]): Promise<void>;
  /** Sets the words under which entities are found. */
  reword(entities: readonly { readonly id: string; readonly words: string }[]): Promise<void>;
  /** Makes the indexes that are wanted and not there, and drops those that are there and not wanted. */
  indexFields(wanted: readonly FieldIndex[], unwanted: readonly FieldIndex[]): Promise<void>;
  apply(change: {
    revision: number;
    definition: SchemaDefinition;
    author: Author;
    fromVersion: string;
    changes: readonly string[];
  }): Promise<void>;
}
