// The bill of materials of a built installation (CycloneDX): the packages that it contains, as files or in a bundle.

/** Where the packages of files below the project root are installed, in order. */
export const placesOf = (files) =>
  [
    ...new Set(files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0] ?? [])),
  ].sort();

const hashesOf = (integrity) =>
  (integrity ?? '').split(' ').flatMap((one) => {
    const [, bits, content] = /^sha(256|384|512)-(.+)$/.exec(one) ?? [];
    return bits === undefined
      ? []
      : [{ alg: `SHA-${bits}`, content: Buffer.from(content, 'base64').toString('hex') }];
  });

const isExpression = (licence) => /^\(?[\w.+-]+(?: (?:AND|OR|WITH) \(?[\w.+-]+\)?)*\)?$/.test(licence);

function componentOf(place, { name: alias, version, license, integrity }) {
  const name = alias ?? place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const licence = isExpression(license ?? '') ? { expression: license } : { license: { name: license } };
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    purl,
    ...(license === undefined ? {} : { licenses: [licence] }),
    hashes: hashesOf(integrity),
  };
}

/**
 * Without time and serial number: the same packages give the same bytes.
 * @param places where packages are installed, as in package-lock.json
 * @param locked its `packages`
 */
export function billOfMaterials({ name, version, license }, places, locked) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const components = new Map(
    places.map((place) => {
      const component = componentOf(place, locked[place]);
      return [component.purl, component];
    }),
  );
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': purl,
        name,
        version,
        purl,
        licenses: [{ expression: license }],
      },
    },
    components: [...components.values()].sort((a, b) => (a.purl < b.purl ? -1 : 1)),
  };
}
