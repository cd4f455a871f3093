// What the tests of the token endpoint share.
import { SECRET } from './oauth-testkit.ts';

export const CREDENTIALS = { grant_type: 'client_credentials', client_id: 'importer', client_secret: SECRET };
