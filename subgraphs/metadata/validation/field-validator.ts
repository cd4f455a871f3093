// The validator that is always first: types, required and unknown fields, as the schema declares them.
import { dataFaults, ownValue } from '../schemas/entity-type.ts';
import { failureOf, type Validator } from './validator.ts';

/** Names every field at fault. A delete leaves the data as they are, so there is nothing to look at. */
export const fieldValidator: Validator = {
  mayBypass: false,
  validate(write) {
    const { operation, type, data } = write;
    if (operation === 'delete') return [];
    return dataFaults(type, data).map(({ field, message }) => failureOf(write, null, message, { operation, field, value: ownValue(data, field) ?? null }));
  },
};
