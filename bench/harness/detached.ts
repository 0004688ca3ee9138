import type { CDPSession } from 'playwright-core';

/**
 * Counts nodes that are alive outside the document. The content of templates is among them, so only an increase means a
 * leak.
 */
export async function countDetached(cdp: CDPSession): Promise<number> {
  const { nodes } = await cdp.send('Memory.getDOMCounters');
  const { result } = await cdp.send('Runtime.evaluate', { expression: `(${countConnected})(document)` });
  return nodes - Number(result.value);
}

/** A string, because the walk also enters open shadow roots. */
const countConnected = `function count(node) {
  let nodes = 1 + (node.shadowRoot ? count(node.shadowRoot) : 0);
  for (let child = node.firstChild; child; child = child.nextSibling) nodes += count(child);
  return nodes;
}`;
