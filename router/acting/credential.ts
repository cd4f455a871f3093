// The gateway's own words for the credential that a request was proved by: kept with what acts later in its
// name.

export const credentialOfKey = (id: string): string => `key ${id}`;
export const credentialOfToken = (family: string, jti: string): string => `token ${family} ${jti}`;

export type CredentialName =
  | { readonly kind: 'key'; readonly id: string }
  | { readonly kind: 'token'; readonly family: string; readonly jti: string };

/** Undefined for words that are not ours. */
export function readCredential(credential: string): CredentialName | undefined {
  const [kind, first, second, ...rest] = credential.split(' ');
  if (kind === 'key' && first !== undefined && second === undefined) return { kind, id: first };
  if (kind === 'token' && first !== undefined && second !== undefined && rest.length === 0)
    return { kind, family: first, jti: second };
  return undefined;
}
