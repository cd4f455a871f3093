// Recognises files and directories among CWL's values, from requests, entities, runners and records.
import { isObject } from '../../../platform/json-object.ts';

export interface FileValue {
  readonly class: 'File' | 'Directory';
  readonly [key: string]: unknown;
}

export const isFileValue = (value: unknown): value is FileValue =>
  isObject(value) && (value['class'] === 'File' || value['class'] === 'Directory');
