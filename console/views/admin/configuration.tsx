// The configuration that the server runs with: every key, its value, and where that comes from.
import type { ReactNode } from 'react';
import { useAddress } from '../../address/address.tsx';
import { operation } from '../../api/operation.ts';
import { useQuery } from '../../api/use-api.ts';
import type { ConfigurationQuery, ConfigurationSource } from '../../generated/api.ts';
import { LabelledSelect, TextField } from '../../parts/form.tsx';
import { Empty, Shown } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { plural } from '../../parts/text.ts';
import { Given } from '../../parts/value.tsx';

const CONFIGURATION = operation<ConfigurationQuery>(/* GraphQL */ `
  query Configuration {
    configuration {
      file
      settings {
        key
        value
        isHidden
        source
        place
      }
    }
  }
`);
type Setting = ConfigurationQuery['configuration']['settings'][number];

const SOURCES: readonly ConfigurationSource[] = ['file', 'environment', 'default'];

const valueText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

function SettingValue({ of: { value, isHidden } }: { readonly of: Setting }): ReactNode {
  if (isHidden && (value === null || (Array.isArray(value) && value.every((one) => one === null))))
    return <span className="tag plain">hidden</span>;
  return (
    <>
      <code>
        <Given text={valueText(value)} most={2000} />
      </code>
      {isHidden && <span className="tag plain">in part</span>}
    </>
  );
}

const Settings = ({ of }: { readonly of: readonly Setting[] }): ReactNode =>
  of.length === 0 ? (
    <Empty title="No such key">
      <p>Keys without a value and without a default are not listed.</p>
    </Empty>
  ) : (
    <>
      <p className="quiet" role="status">
        {plural(of.length, 'key')}
      </p>
      <Table
        label="Keys in force"
        rows={of}
        keyOf={({ key }) => key}
        columns={[
          { key: 'key', title: 'key', cell: ({ key }) => <code>{key}</code> },
          { key: 'value', title: 'value', cell: (one) => <SettingValue of={one} /> },
          {
            key: 'source',
            title: 'from',
            cell: ({ source, place }) => (
              <>
                <span className={`tag ${source === 'default' ? 'plain' : 'info'}`}>{source}</span>{' '}
                {place !== null && (
                  <code>
                    <Given text={place} most={200} />
                  </code>
                )}
              </>
            ),
          },
        ]}
      />
    </>
  );

export function Configuration(): ReactNode {
  const { params, set } = useAddress();
  const answer = useQuery(CONFIGURATION, {});
  const words = params.get('key') ?? '';
  const source = params.get('from');
  const isAsked = (one: Setting): boolean =>
    one.key.includes(words.trim().toLowerCase()) && (source === null || one.source === source);
  return (
    <Shown answer={answer} what="the configuration">
      {({ configuration: { file, settings } }) => (
        <div className="stack">
          <p className="quiet">
            What the server runs with, from <code>{file}</code> as it was at the start or the last reload.
          </p>
          <div className="row">
            <TextField
              id="setting-key"
              label="Key contains"
              value={words}
              onChange={(key) => {
                set({ key }, { replace: true });
              }}
            />
            <LabelledSelect
              id="setting-source"
              label="From"
              value={source ?? ''}
              none="anywhere"
              choices={SOURCES}
              onChange={(from) => {
                set({ from });
              }}
            />
          </div>
          <Settings of={settings.filter(isAsked)} />
        </div>
      )}
    </Shown>
  );
}
