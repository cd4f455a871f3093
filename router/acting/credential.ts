// The gateway's identifier of the credential of a request: stored with work that later acts on behalf of the
// caller.

export const credentialOfKey = (id: string): string => `key ${id}`;
export const credentialOfToken = (family: string, jti: string): string => `token ${family} ${jti}`;

/** A token of an issuer of `auth.issuers`, by whom it is for there: that stays when names change. */
export const credentialOfIssuer = (issuer: string, subject: string): string =>
  `issuer ${encodeURIComponent(issuer)} ${encodeURIComponent(subject)}`;

/** An account's name contains no space. */
export const credentialOfAccount = (name: string): string => `account ${name}`;

export type CredentialName =
  | { readonly kind: 'key'; readonly id: string }
  | { readonly kind: 'account'; readonly name: string }
  | { readonly kind: 'issuer'; readonly issuer: string; readonly subject: string }
  | { readonly kind: 'token'; readonly family: string; readonly jti: string };

/** Undefined for an invalid identifier. */
export function readCredential(credential: string): CredentialName | undefined {
  const [kind, first, second, ...rest] = credential.split(' ');
  if (kind === 'key' && first !== undefined && second === undefined) return { kind, id: first };
  if (kind === 'account' && first !== undefined && second === undefined) return { kind, name: first };
  if (kind === 'token' && first !== undefined && second !== undefined && rest.length === 0)
    return { kind, family: first, jti: second };
  if (kind === 'issuer' && first !== undefined && second !== undefined && rest.length === 0)
    return { kind, issuer: decodeURIComponent(first), subject: decodeURIComponent(second) };
  return undefined;
}

/** The key that a request, or the session of it, was opened with. Tokens of keys have the role `service`, which manages no keys. */
export function keyOfCredential(credential: string | undefined): string | undefined {
  const name = credential === undefined ? undefined : readCredential(credential);
  return name?.kind === 'key' ? name.id : undefined;
}
