// The search text of states that have ended: it is not stored, and made with today's schemas.
import { invalid } from '../../../platform/errors.ts';
import type { SchemaCatalogue } from '../schema-model/schema-catalogue.ts';
import { searchText } from '../search-text.ts';
import { type EndedText, MAX_ENDED, type ReadEnded, type SearchScope } from './search.store.ts';

/** Those of the scope that stood at the moment. @throws DomainError `validation_failed` where they are too many */
export async function endedTexts(
  read: ReadEnded,
  scope: SearchScope,
  at: string,
  catalogue: SchemaCatalogue,
): Promise<EndedText[]> {
  const states = await read(scope, at);
  if (states.length > MAX_ENDED)
    throw invalid(
      `more than ${MAX_ENDED} entities of the type have changed since as_of: search in a more recent past, or list with a filter`,
      { field: 'as_of' },
    );
  return states.flatMap(({ id, entity_type, data }) => {
    const type = catalogue.get(entity_type);
    return type ? [{ id, text: searchText(type, data) }] : [];
  });
}
