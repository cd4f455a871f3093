// docs/reference/artifact.md#addresses-of-files: a stored file is recognised by the hash in its address.
import { expect, test } from 'vitest';
import { storedFileAddress, storedHashIn } from './stored-file-address.ts';

const hex = 'ab12'.padEnd(64, '0');
const hash = `sha256:${hex}`;

test("an address names the file that it was created for, whatever the server's address was", () => {
  expect(storedFileAddress('https://cairn.example.org', hash)).toBe(
    `https://cairn.example.org/api/v1/artifact/files/${hex}`,
  );
  for (const base of ['https://cairn.example.org', 'http://127.0.0.1:8080', 'https://a.example/below/a/path'])
    expect(storedHashIn(storedFileAddress(base, hash))).toBe(hash);
});

test.each([
  `file:///data/artifacts/sha256/ab/12/${hex}`,
  `file:///moved/to/another%20place/sha256/ab/12/${hex}`,
  `s3://bucket/ab/12/${hex}`,
  `s3://bucket/below/a/prefix/ab/12/${hex}`,
  `https://other.example/api/v1/artifact/files/${hex.toUpperCase()}`,
])('%s is recognised', (address) => {
  expect(storedHashIn(address)).toBe(hash);
});

test.each([
  `file:///data/artifacts/sha256/ab/13/${hex}`,
  `file:///data/${hex}`,
  `s3://bucket/${hex}`,
  `https://other.example/api/v1/artifact/files/${hex}0`,
  `https://other.example/api/v1/artifact/files/${hex}?download`,
  `https://other.example/files/${hex}`,
  `ftp://other.example/api/v1/artifact/files/${hex}`,
  hash,
  '',
])('%s is an address of something else', (address) => {
  expect(storedHashIn(address)).toBeNull();
});
