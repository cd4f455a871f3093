// A value of an entity's field, as its schema says what it is.
import type { ReactNode } from 'react';
import { Link } from '../address/address.tsx';
import type { FieldKind } from './field-kind.ts';
import { cut, instantText, jsonText, numberText } from './text.ts';

/** Text by whoever wrote it: isolated, so that its direction does not reach what is beside it. */
export const Given = ({ text, most }: { readonly text: string; readonly most?: number }): ReactNode => (
  <bdi>{cut(text, most)}</bdi>
);

export const EntityLink = ({ id }: { readonly id: string }): ReactNode => (
  <Link to="entity" params={{ id }}>
    <Given text={id} />
  </Link>
);

export const Instant = ({ iso }: { readonly iso: string }): ReactNode => (
  <time dateTime={iso} title={iso} className="nowrap">
    {instantText(iso)}
  </time>
);

function Single({
  value,
  field,
  most,
}: {
  value: unknown;
  field: FieldKind | undefined;
  most: number;
}): ReactNode {
  if (value === null || value === undefined)
    return <span className="quiet">{value === null ? 'null' : '–'}</span>;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number')
    return <span className="number">{field?.type === 'int' ? numberText(value) : value}</span>;
  if (typeof value !== 'string') return <code>{cut(JSON.stringify(value), most)}</code>;
  if (field?.references) return <EntityLink id={value} />;
  if (field?.type === 'enum') return <span className="tag plain">{value}</span>;
  if (field?.type === 'datetime' && !Number.isNaN(Date.parse(value))) return <Instant iso={value} />;
  if (field?.type === 'uri' && /^https?:\/\//.test(value))
    return (
      <a href={value} rel="noreferrer noopener" target="_blank">
        <Given text={value} most={most} />
      </a>
    );
  return <Given text={value} most={most} />;
}

/** Elements of a list that are shown at once. */
const LISTED = 50;

/** @param most longest text that is shown of one value */
export function Value({
  value,
  field,
  most = 2000,
}: {
  readonly value: unknown;
  readonly field?: FieldKind | undefined;
  readonly most?: number;
}): ReactNode {
  if (!Array.isArray(value)) return <Single value={value} field={field} most={most} />;
  if (value.length === 0) return <span className="quiet">empty</span>;
  return (
    <>
      {(value as readonly unknown[]).slice(0, LISTED).map((one, i) => (
        // positions are what tells equal elements apart
        <span key={i}>
          {i > 0 && ', '}
          <Single value={one} field={field} most={most} />
        </span>
      ))}
      {value.length > LISTED && <span className="quiet"> … {value.length - LISTED} more</span>}
    </>
  );
}

export const Json = ({ value }: { readonly value: unknown }): ReactNode => (
  <pre className="code" tabIndex={0}>
    {jsonText(value)}
  </pre>
);
