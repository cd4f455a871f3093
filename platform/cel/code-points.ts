// Characters of CEL are code points; those of JavaScript are UTF-16 units, one or two for a code point.

/** Units of the code point at a place. */
export function unitsAt(text: string, place: number): number {
  const unit = text.charCodeAt(place);
  return unit >= 0xd800 && unit < 0xdc00 ? 2 : 1;
}

/** Code points before a place. */
export function countCodePoints(text: string, place: number): number {
  let count = 0;
  for (let at = 0; at < place; at += unitsAt(text, at)) count++;
  return count;
}
