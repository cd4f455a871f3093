// What the workflows of rules consist of, as registration read them; batched for lists of rules.
import DataLoader from 'dataloader';
import type { Queryable } from '../../../platform/queryable.ts';
import { findWorkflows } from '../cwl-source/kept-workflow.store.ts';
import type { KnownWorkflow } from '../cwl-source/read-workflow.ts';

export class RuleWorkflowService {
  readonly #workflows: DataLoader<string, KnownWorkflow | null>;

  constructor(db: Queryable) {
    this.#workflows = new DataLoader(async (hashes) => {
      const found = await findWorkflows(db, hashes);
      return hashes.map((hash) => found.get(hash) ?? null);
    });
  }

  /** By the hash over all documents; null if they are not stored. */
  async of(hash: string | null): Promise<KnownWorkflow | null> {
    return hash === null ? null : this.#workflows.load(hash);
  }
}

/** The slice of the resolvers' context. */
export interface RuleWorkflowSlice {
  readonly ruleWorkflows: RuleWorkflowService;
}
