// Whether a process begins an instance where it finds none (docs/reference/gateway.md#start): in production only when
// told, so that a wrong path or address is never answered by an empty instance.
export const mayInitialise = (mode: 'development' | 'production', told = false): boolean =>
  told || mode !== 'production';
