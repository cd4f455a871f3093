// Types with their fields, and how they refer to one another, as a picture. Of many fields a box shows the first, or none.
import { type ReactNode, useMemo } from 'react';
import { Link, useAddress } from '../../address/address.tsx';
import { ArrowHead } from '../../parts/arrow-head.tsx';
import { LabelledSelect } from '../../parts/form.tsx';
import { Icon } from '../../parts/icons.tsx';
import { fit, numberText, plural } from '../../parts/text.ts';
import {
  type Extent,
  heightOf,
  pictureOf,
  shownFields,
  type TypeEntry,
  type TypeField,
  usualExtent,
  WIDTH,
} from './diagram-layout.ts';

const EXTENTS = { none: 'none', first: 'the first of each', whole: 'all' } as const;
const isExtent = (text: string | null): text is Extent => text !== null && Object.hasOwn(EXTENTS, text);

/** `Donor[]` of a list of references, `string` of a text. */
const kindOf = ({ references, type, many }: TypeField): string => `${references ?? type}${many ? '[]' : ''}`;

function FieldRow({ field }: { readonly field: TypeField }): ReactNode {
  const { name, required, unique, references } = field;
  const marks = [...(required ? ['required'] : []), ...(unique ? ['unique'] : [])];
  return (
    <li>
      <span className={required ? 'name strong' : 'name'} title={name}>
        <bdi>{name}</bdi>
        {marks.length > 0 && (
          <>
            <span aria-hidden="true">{`${required ? ' *' : ''}${unique ? ' #' : ''}`}</span>
            <span className="visually-hidden">, {marks.join(', ')}</span>
          </>
        )}
      </span>
      <span className={references === null ? 'kind' : 'kind reference'} title={kindOf(field)}>
        {references !== null && (
          <>
            <span aria-hidden="true">→ </span>
            <span className="visually-hidden">refers to </span>
          </>
        )}
        <bdi>{kindOf(field)}</bdi>
      </span>
    </li>
  );
}

function Box({
  type,
  extent,
  place: { x, y },
  onExtent,
}: {
  readonly type: TypeEntry;
  readonly extent: Extent;
  readonly place: { readonly x: number; readonly y: number };
  readonly onExtent: (extent: Extent) => void;
}): ReactNode {
  const { name, fields, allFields, parent } = type;
  const shown = shownFields(type, extent);
  const inherited = allFields.length - fields.length;
  return (
    <section
      className="type-box"
      aria-label={name}
      style={{ left: x, top: y, width: WIDTH, height: heightOf(type, extent) }}
    >
      <div className="type-head">
        <div>
          <Link to="types" params={{ name }} title={name}>
            <bdi>{name}</bdi>
          </Link>
          <p className="quiet">
            {plural(fields.length, 'field')}
            {inherited > 0 && `, ${numberText(inherited)} of ${fit(parent ?? '', 14)}`}
          </p>
        </div>
        {fields.length > 0 && (
          <button
            type="button"
            className="button bare"
            aria-label={`Fields of ${name}`}
            aria-expanded={extent !== 'none'}
            onClick={() => {
              onExtent(extent === 'none' ? 'first' : 'none');
            }}
          >
            <Icon name={extent === 'none' ? 'plus' : 'down'} />
          </button>
        )}
      </div>
      {shown.length > 0 && (
        <ul>
          {shown.map((field) => (
            <FieldRow key={field.name} field={field} />
          ))}
        </ul>
      )}
      {extent !== 'none' && shown.length < fields.length && (
        <button
          type="button"
          className="button bare type-more"
          onClick={() => {
            onExtent('whole');
          }}
        >
          {plural(fields.length - shown.length, 'field')} more
          <span className="visually-hidden"> of {name}</span>
        </button>
      )}
    </section>
  );
}

/** How much each type shows, as the address says: what is for all, and the types that show something else. */
function useExtents(types: readonly TypeEntry[]) {
  const { params, set } = useAddress();
  const given = params.get('fields');
  const usual = isExtent(given) ? given : usualExtent(types);
  const others = params.getAll('box').join('\n'); // as a text, which stays the same
  const extents = useMemo(() => {
    const known = new Map<string, Extent>();
    for (const text of others.split('\n')) {
      const [extent = '', ...name] = text.split(':');
      if (isExtent(extent)) known.set(name.join(':'), extent);
    }
    return known;
  }, [others]);
  return {
    usual,
    extents,
    setAll: (extent: Extent) => {
      set({ fields: extent, box: undefined });
    },
    setOne: (name: string, extent: Extent) => {
      const all = new Map(extents).set(name, extent);
      set({ box: [...all].filter(([, one]) => one !== usual).map(([one, its]) => `${its}:${one}`) });
    },
  };
}

export default function Diagram({ types }: { readonly types: readonly TypeEntry[] }): ReactNode {
  const { usual, extents, setAll, setOne } = useExtents(types);
  const { width, height, places, arrows } = useMemo(
    () => pictureOf(types, ({ name }) => extents.get(name) ?? usual),
    [types, extents, usual],
  );
  return (
    <>
      <div className="row">
        <LabelledSelect
          id="diagram-fields"
          label="Fields"
          value={usual}
          choices={Object.keys(EXTENTS).filter(isExtent)}
          textOf={(extent) => EXTENTS[extent]}
          onChange={(extent) => {
            if (extent !== '') setAll(extent);
          }}
        />
        <span className="quiet small">* required, # unique, → refers to; dashed lines lead to parents</span>
      </div>
      <div
        className="diagram types-diagram"
        role="region"
        aria-label="Types and their references"
        tabIndex={0}
      >
        <div className="canvas" style={{ width, height }}>
          <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
            <defs>
              <ArrowHead id="arrow" />
            </defs>
            {arrows.map(({ key, text, isParent, path, at }) => (
              <g key={key}>
                <path className={`edge${isParent ? ' parent' : ''}`} d={path} markerEnd="url(#arrow)" />
                {text !== undefined && (
                  <text className="edge-label" x={at.x} y={at.y + 4} textAnchor="middle">
                    {fit(text, 24)}
                  </text>
                )}
              </g>
            ))}
          </svg>
          {types.map((type) => (
            <Box
              key={type.name}
              type={type}
              extent={extents.get(type.name) ?? usual}
              place={places.get(type.name) ?? { x: 0, y: 0 }}
              onExtent={(extent) => {
                setOne(type.name, extent);
              }}
            />
          ))}
        </div>
      </div>
    </>
  );
}
