// What a page holds after its garbage was collected: its nodes, its listeners, and what its scripts refer to.
import type { CDPSession } from 'playwright-core';

/**
 * What a script makes and refers to. Left out are what V8 makes of scripts that run often (machine code, feedback,
 * shapes of objects), which grows for a dozen rounds through all views and then stands still; and what Chromium keeps
 * for whoever debugs it (answers, timings).
 */
const OF_SCRIPTS: ReadonlySet<string> = new Set([
  'array',
  'bigint',
  'closure',
  'concatenated string',
  'number',
  'object',
  'regexp',
  'sliced string',
  'string',
  'symbol',
]);

interface HeapSnapshot {
  readonly snapshot: {
    readonly meta: {
      readonly node_fields: readonly string[];
      readonly node_types: readonly [readonly string[]];
    };
  };
  /** The fields of each node, one after the other. */
  readonly nodes: readonly number[];
}

/** Bytes, of a heap snapshot. */
async function heldByScripts(probe: CDPSession): Promise<number> {
  const chunks: string[] = [];
  const note = ({ chunk }: { readonly chunk: string }): void => {
    chunks.push(chunk);
  };
  probe.on('HeapProfiler.addHeapSnapshotChunk', note);
  await probe.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  probe.off('HeapProfiler.addHeapSnapshotChunk', note);
  const { snapshot, nodes } = JSON.parse(chunks.join('')) as HeapSnapshot; // V8 writes it
  const { node_fields: fields, node_types: kinds } = snapshot.meta;
  const [kind, size] = [fields.indexOf('type'), fields.indexOf('self_size')];
  let bytes = 0;
  for (let at = 0; at < nodes.length; at += fields.length)
    if (OF_SCRIPTS.has(kinds[0][nodes[at + kind] ?? 0] ?? '')) bytes += nodes[at + size] ?? 0;
  return bytes;
}

export interface Held {
  /** Bytes that scripts made and refer to. */
  readonly held: number;
  readonly nodes: number;
  readonly listeners: number;
}

export async function heldBy(probe: CDPSession): Promise<Held> {
  await probe.send('HeapProfiler.collectGarbage');
  const { nodes, jsEventListeners: listeners } = await probe.send('Memory.getDOMCounters');
  return { held: await heldByScripts(probe), nodes, listeners };
}
