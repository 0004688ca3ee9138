import type { CDPSession } from 'playwright-core';

/** Nodes that live without being in the document. What templates are made from is left out: it is in no document ever. */
export async function countDetached(cdp: CDPSession): Promise<number> {
  const { result: prototype } = await cdp.send('Runtime.evaluate', { expression: 'Node.prototype' });
  const { objects } = await cdp.send('Runtime.queryObjects', { prototypeObjectId: prototype.objectId ?? '' });
  const { result } = await cdp.send('Runtime.callFunctionOn', {
    objectId: objects.objectId ?? '',
    functionDeclaration: `function () {
      return this.filter((node) => {
        // The prototypes of elements are found too, and are no nodes.
        if (Object.hasOwn(node, 'constructor')) return false;
        const root = node.getRootNode({ composed: true });
        return node !== document && root !== document && node.ownerDocument === document;
      }).length;
    }`,
    returnByValue: true,
  });
  await cdp.send('Runtime.releaseObject', { objectId: objects.objectId ?? '' });
  return Number(result.value);
}
