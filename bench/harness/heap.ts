import type { CDPSession } from 'playwright-core';

interface Snapshot {
  readonly snapshot: {
    readonly meta: { readonly node_fields: readonly string[]; readonly node_types: readonly [readonly string[]] };
  };
  readonly nodes: readonly number[];
}

/** What is no script's doing: machine code, which the engine goes on to make as long as anything runs, and the browser's own records. */
const OTHERS = ['code', 'native'];

/** Bytes of all that scripts have made and that lives: objects, strings, closures. */
export async function sizeOfObjects(cdp: CDPSession): Promise<number> {
  const chunks: string[] = [];
  const take = ({ chunk }: { readonly chunk: string }): void => {
    chunks.push(chunk);
  };
  cdp.on('HeapProfiler.addHeapSnapshotChunk', take);
  await cdp.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  cdp.off('HeapProfiler.addHeapSnapshotChunk', take);
  // As V8 writes it.
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
