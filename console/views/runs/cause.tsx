// What fired a run, in words, with a way to it.
import type { ReactNode } from 'react';
import { Link } from '../../address/address.tsx';
import { isData } from '../../api/json.ts';
import { instantText, plainText } from '../../parts/text.ts';
import { EntityLink, Given } from '../../parts/value.tsx';

interface Props {
  /** docs/reference/workflow.md#run-cause */
  readonly cause: unknown;
}

export function Cause({ cause }: Props): ReactNode {
  if (!isData(cause)) return null;
  const { tick, event, run_id: run, delivery, entity, actor, context } = cause;
  const [time, name, id] = [plainText(tick), plainText(event), plainText(run)];
  if (isData(entity)) {
    const [changed, version] = [plainText(entity['id']) ?? '', plainText(entity['version'])];
    return (
      <>
        <EntityLink id={changed} />{' '}
        {name === undefined ? `version ${version ?? ''}` : <Given text={name.replaceAll('_', ' ')} />}
      </>
    );
  }
  if (time !== undefined) return `tick of ${instantText(time)}`;
  if (name !== undefined)
    return (
      <>
        event <Given text={name} />
        {id !== undefined && (
          <>
            {' of '}
            <Link to="run" params={{ id }}>
              a run
            </Link>
          </>
        )}
      </>
    );
  if (isData(delivery)) return delivery['redelivery_of'] === undefined ? 'delivery' : 'delivered again';
  if (context !== undefined || actor !== undefined) return 'on request';
  return null;
}
