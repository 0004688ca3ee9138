import type { CDPSession } from 'playwright-core';

interface Snapshot {
  readonly snapshot: {
    readonly meta: { readonly node_fields: readonly string[]; readonly node_types: readonly [readonly string[]] };
  };
  readonly nodes: readonly number[];
}

/**
 * Types that no script has created: machine code, which the engine keeps generating while scripts run, and the
 * browser's own records.
 */
const OTHERS = ['code', 'native'];

/** Bytes of all live values that scripts have created: objects, strings, closures. */
export async function sizeOfObjects(cdp: CDPSession): Promise<number> {
  const chunks: string[] = [];
  const take = ({ chunk }: { readonly chunk: string }): void => {
    chunks.push(chunk);
  };
  cdp.on('HeapProfiler.addHeapSnapshotChunk', take);
  await cdp.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  cdp.off('HeapProfiler.addHeapSnapshotChunk', take);
  // The format of V8's heap snapshot.
  const { snapshot, nodes } = JSON.parse(chunks.join('')) as Snapshot;
  const { node_fields: fields, node_types } = snapshot.meta;
  const [type, size] = [fields.indexOf('type'), fields.indexOf('self_size')];
  const others = new Set(OTHERS.map((name) => node_types[0].indexOf(name)));
  let sum = 0;
  for (let node = 0; node < nodes.length; node += fields.length) {
    if (!others.has(nodes[node + type] ?? -1)) sum += nodes[node + size] ?? 0;
  }
  return sum;
}
