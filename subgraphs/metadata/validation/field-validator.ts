// The first validator: types, required and unknown fields, as the schema declares them.
import { projectFault } from '../entities/project-of.ts';
import { dataFaults, type FieldFault, ownValue } from '../schema-model/entity-type.ts';
import { failureOf, type ValidatedWrite, type Validator } from '../schema-model/validator.ts';

function faultsOf({ type, data }: ValidatedWrite): FieldFault[] {
  const faults = dataFaults(type, data);
  const fault =
    type.hasProject && !faults.some(({ field }) => field === 'project')
      ? projectFault(ownValue(data, 'project'))
      : null;
  if (fault !== null) faults.push({ field: 'project', message: `field project ${fault}` });
  return faults;
}

/** Names every faulty field. A delete does not change the data, so nothing is checked. */
export const fieldValidator: Validator = {
  mayBypass: false,
  validate(write) {
    const { operation, data } = write;
    if (operation === 'delete') return [];
    return faultsOf(write).map(({ field, message }) =>
      failureOf(write, null, message, { operation, field, value: ownValue(data, field) ?? null }),
    );
  },
};
