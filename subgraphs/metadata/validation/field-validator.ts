// The validator that is always first: types, required and unknown fields, as the schema declares them.
import { dataFaults, type FieldFault, ownValue } from '../schemas/entity-type.ts';
import { failureOf, type ValidatedWrite, type Validator } from './validator.ts';

/** Most characters of a project's name: entities are counted by it, and an index entry has its limit. */
const LONGEST_PROJECT = 200;

function faultsOf({ type, data }: ValidatedWrite): FieldFault[] {
  const faults = dataFaults(type, data);
  const project = ownValue(data, 'project');
  if (typeof project === 'string' && project.length > LONGEST_PROJECT) faults.push({ field: 'project', message: `field project must be at most ${LONGEST_PROJECT} characters` });
  return faults;
}

/** Names every field at fault. A delete leaves the data as they are, so there is nothing to look at. */
export const fieldValidator: Validator = {
  mayBypass: false,
  validate(write) {
    const { operation, data } = write;
    if (operation === 'delete') return [];
    return faultsOf(write).map(({ field, message }) => failureOf(write, null, message, { operation, field, value: ownValue(data, field) ?? null }));
  },
};
