// The graphs of the federation tests.
import type { Graph } from './graph.ts';
import { abstractTypes } from './graphs/abstract-types.ts';
import { entityErrors } from './graphs/entity-errors.ts';
import { enumsAndInputs } from './graphs/enums-and-inputs.ts';
import { interfaceObjects } from './graphs/interface-objects.ts';
import { keys } from './graphs/keys.ts';
import { requires } from './graphs/requires.ts';
import { sharedFields } from './graphs/shared-fields.ts';

export const graphs: readonly Graph[] = [
  enumsAndInputs,
  abstractTypes,
  interfaceObjects,
  keys,
  requires,
  sharedFields,
  entityErrors,
];
