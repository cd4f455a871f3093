// SQL of what caused productions: who asked for them, and what they were made with (docs/reference/metadata.md#why).
import { type EntityVersion, nodeKey, versionKey } from '../../../platform/causal-links.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import { ruleReference } from '../rules/rule-reference.ts';

/** Those that are recorded already, as in an attempt before, stay as they are. */
async function insertCauses(
  db: Queryable,
  production: string,
  role: 'asked' | 'rule' | 'input',
  causes: readonly string[],
): Promise<void> {
  await db.query(
    'INSERT INTO artifact.production_cause (production_id, cause, role) SELECT $1, unnest($2::text[]), $3 ON CONFLICT DO NOTHING',
    [production, causes, role],
  );
}

/** @param asker a request, run or production, as `causeOf` names it */
export const noteAsked = (db: Queryable, production: string, asker: string): Promise<void> =>
  insertCauses(db, production, 'asked', [asker]);

/** The rule of a production, and the versions of entities that are its inputs. */
export async function noteIngredients(
  db: Queryable,
  production: string,
  rule: { readonly name: string; readonly version: number },
  entities: readonly EntityVersion[],
): Promise<void> {
  await insertCauses(db, production, 'rule', [nodeKey('rule', ruleReference(rule.name, rule.version))]);
  await insertCauses(db, production, 'input', entities.map(versionKey));
}

export const noteInputFiles = (
  db: Queryable,
  production: string,
  files: readonly { readonly hash: string }[],
): Promise<void> =>
  insertCauses(db, production, 'input', [...new Set(files.map(({ hash }) => nodeKey('file', hash)))]);
