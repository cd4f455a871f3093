// What a Workflow Run Crate is made from.
import type { Production } from '../productions/production.ts';
import type { StoredEntity } from '../planning/entities.ts';
import type { Rule } from '../rules/rules.store.ts';
import type { CrateFile } from './file-nodes.ts';
import type { CrateSettings } from './people-nodes.ts';
import type { WorkflowSource } from './workflow-nodes.ts';
export interface DatedEntity extends StoredEntity {
  readonly createdAt: string;
}

export interface CrateSource extends WorkflowSource {
  readonly production: Production;
  readonly rule: Rule;
  /** What it made, as far as the reader may see it, each with its files. */
  readonly entities: readonly { readonly entity: DatedEntity; readonly files: readonly CrateFile[] }[];
  /** What it was given, by where it was. */
  readonly inputFiles: ReadonlyMap<string, CrateFile>;
  readonly settings: CrateSettings;
}
