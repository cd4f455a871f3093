import { expect, test } from 'vitest';
import { headerText } from './header-text.ts';

test.each(['ada', '', 'Zoë', '王 \u{1F9EC}'])('%j sent in UTF-8 is read as it was written', (text) => {
  expect(headerText(Buffer.from(text, 'utf8').toString('latin1'))).toBe(text);
});

test('a header that is not UTF-8 is read as Latin-1', () => {
  expect(headerText('Zo\u00eb')).toBe('Zoë');
});
