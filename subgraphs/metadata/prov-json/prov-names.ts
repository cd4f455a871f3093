// Qualified names of a PROV document: each kind has its prefix, so that ids of different kinds cannot
// collide.

export const PREFIXES = {
  cairn: 'urn:cairn:terms:',
  entity: 'urn:cairn:entity:',
  version: 'urn:cairn:version:',
  event: 'urn:cairn:event:',
  actor: 'urn:cairn:actor:',
  run: 'urn:cairn:run:',
} as const;

/** A local name that is valid in a URI, whatever characters the id has. */
const local = (id: string): string =>
  encodeURIComponent(id).replaceAll(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

export const entityName = (id: string): string => `entity:${local(id)}`;
/**
 * One state of an entity that was valid from one event to another; `again` counts how often it became
 * available again.
 */
export const versionName = (id: string, version: number, again: number): string =>
  `version:${local(id)}/${version}${again === 0 ? '' : `/${again}`}`;
export const eventName = (uuid: string): string => `event:${uuid}`;
export const actorName = (actor: string): string => `actor:${local(actor)}`;
export const runName = (id: string): string => `run:${local(id)}`;

/** A qualified name as the value of an attribute. */
export const qualified = (name: string): { readonly $: string; readonly type: string } => ({
  $: name,
  type: 'xsd:QName',
});
