// Validates values against the GA4GH schemas beside this file.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv, type ErrorObject } from 'ajv';
import formats from 'ajv-formats';
import { parse } from 'yaml';
import { projectRoot } from '../../../platform/project-root.ts';

const folder = path.join(projectRoot, 'test/contract/ga4gh');
// Each of them contains a mapping.
const read = (file: string): object => parse(readFileSync(path.join(folder, file), 'utf8')) as object;

const ajv = new Ajv({ strict: false, allErrors: true });
formats.default(ajv);
for (const file of readdirSync(path.join(folder, 'drs-1.5.0'))) ajv.addSchema({ $id: `ga4gh:///${file}`, ...read(`drs-1.5.0/${file}`) });
ajv.addSchema({ $id: 'ga4gh:///service-info.yaml', ...read('service-info-1.0.0.yaml') });

/**
 * The faults of a value under a schema: `DrsObject`, `Error`, `DrsService`, or `Service` of service-info;
 * none for a valid one.
 */
export function ga4ghFaults(schema: 'DrsObject' | 'Authorizations' | 'Error' | 'DrsService' | 'Service', value: unknown): ErrorObject[] {
  const validate = ajv.getSchema(schema === 'Service' ? 'ga4gh:///service-info.yaml#/components/schemas/Service' : `ga4gh:///${schema}.yaml`);
  if (!validate) throw new Error(`no GA4GH schema ${schema}`);
  return validate(value) === true ? [] : [...validate.errors ?? []];
}

const wes = read('wes-1.1.0.openapi.yaml') as { components: { schemas: Record<string, object> } };
// service-info is a separate document at a public address: the local copy replaces it
ajv.addSchema({ $id: 'ga4gh:///wes.yaml', ...JSON.parse(JSON.stringify(wes).replaceAll(/"\$ref":"https:[^"]*service-info\.yaml#/g, '"$ref":"ga4gh:///service-info.yaml#')) as object });

/**
 * The faults of a value under a schema of the Workflow Execution Service: `RunLog`, `RunId`, `RunStatus`, …
 */
export function wesFaults(schema: string, value: unknown): ErrorObject[] {
  const validate = ajv.getSchema(`ga4gh:///wes.yaml#/components/schemas/${schema}`);
  if (!validate) throw new Error(`no WES schema ${schema}`);
  return validate(value) === true ? [] : [...validate.errors ?? []];
}
