// The refusal where what keeps files is neither in this process nor answers.
import { DomainError } from '../platform/errors.ts';

export const filesOutOfReach = (): DomainError =>
  new DomainError('component_unavailable', 'the component that keeps files is not in reach', {
    component: 'artifact',
    upstream_status: null,
  });
