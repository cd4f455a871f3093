// A production in the store and in the SDL (docs/reference/artifact.md#productions).
import { isList } from '../../../platform/json-object.ts';
import type { JsonValue } from '../../../platform/json.ts';

/** An image as a production records it. */
export interface StoredImage {
  readonly image: string;
  readonly digest: string | null;
  readonly image_id: string | null;
}

/** What its name stood for: the digest that registries have, else the id that the machine has; null where it is not known. */
export const contentOf = ({ digest, image_id: id }: StoredImage): string | null => digest ?? id;

export type ProductionStatus = 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';

export interface Production {
  readonly id: string;
  readonly entityType: string;
  readonly criteria: JsonValue;
  readonly rule: string | null;
  readonly status: ProductionStatus;
  readonly entityIds: readonly string[];
  readonly error: JsonValue;
  readonly requestedBy: string;
  readonly requestId: string | null;
  readonly planHash: string | null;
  readonly requestedAt: string;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly parameters: JsonValue;
  readonly inputs: JsonValue;
  /** Every entity that it declares: `{entity_type, entity_id}`. */
  readonly produced: JsonValue;
  readonly runner: string | null;
  /** Its input files at that time; null for productions from before they were recorded. */
  readonly inputFiles: JsonValue;
  /** The container images that its tools ran in, as {@link StoredImage}; null where they were not recorded. */
  readonly images: JsonValue;
  /** The instant as of which it was read; null for the present. */
  readonly asOf: string | null;
}

/** What comparing a production with what there is now takes of it. */
export type ComparedProduction = Pick<
  Production,
  'id' | 'entityType' | 'rule' | 'parameters' | 'inputs' | 'produced' | 'inputFiles' | 'images' | 'asOf'
>;

/** The images that a production recorded; null where it did not. */
export const imagesOf = ({ images }: Pick<Production, 'images'>): readonly StoredImage[] | null =>
  isList(images) ? (images as unknown as readonly StoredImage[]) : null; // as they were recorded
