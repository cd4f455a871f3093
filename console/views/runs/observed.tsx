// What a trigger looked at, and the values that decided: names with their values, the known ones with a way to them.
import type { ReactNode } from 'react';
import { Link } from '../../address/address.tsx';
import { isData } from '../../api/json.ts';
import { cut, plainText } from '../../parts/text.ts';
import { EntityLink, Given, Instant } from '../../parts/value.tsx';

const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Characters of a digest that tell it from others. */
const DIGEST = 15;

/** Where ids of these names lead. */
const VIEWS: Readonly<Record<string, string>> = { run_id: 'run', production_id: 'production' };

function Known({
  name,
  value,
  most,
}: {
  readonly name: string;
  readonly value: unknown;
  readonly most: number;
}): ReactNode {
  const text = plainText(value);
  if (text === undefined) return <code>{cut(JSON.stringify(value), most)}</code>;
  if (INSTANT.test(text)) return <Instant iso={text} />;
  const to = VIEWS[name];
  if (to !== undefined)
    return (
      <Link to={to} params={{ id: text }}>
        {text.slice(0, 8)}
      </Link>
    );
  if (UUID.test(text)) return <code title={text}>{text.slice(0, 8)}</code>;
  if (text.startsWith('sha256:')) return <code title={text}>{text.slice(0, DIGEST)}…</code>;
  return typeof value === 'string' ? <Given text={text} most={most} /> : text;
}

interface Props {
  readonly of: unknown;
  /** Characters of a value that are shown. */
  readonly most?: number;
}

export function Observed({ of, most = 160 }: Props): ReactNode {
  if (!isData(of)) return of === null || of === undefined ? null : <Known name="" value={of} most={most} />;
  const { entity, ...others } = of;
  const [{ id, ...ofEntity }, rest] = isData(entity) ? [entity, others] : [{ id: undefined }, of];
  return (
    <ul className="observed">
      {typeof id === 'string' && (
        <li>
          <EntityLink id={id} />
        </li>
      )}
      {Object.entries({ ...ofEntity, ...rest }).map(([name, value]) => (
        <li key={name}>
          <span className="quiet">{cut(name.replaceAll('_', ' '), 60)}</span>{' '}
          <Known name={name} value={value} most={most} />
        </li>
      ))}
    </ul>
  );
}
