import type { CDPSession } from 'playwright-core';

/**
 * Nodes that live without being in the document. What templates are cloned from is among them, so only more of them than before
 * means that something was kept.
 */
export async function countDetached(cdp: CDPSession): Promise<number> {
  const { nodes } = await cdp.send('Memory.getDOMCounters');
  const { result } = await cdp.send('Runtime.evaluate', { expression: `(${countConnected})(document)` });
  return nodes - Number(result.value);
}

/** As text: it walks open shadow roots too. */
const countConnected = `function count(node) {
  let nodes = 1 + (node.shadowRoot ? count(node.shadowRoot) : 0);
  for (let child = node.firstChild; child; child = child.nextSibling) nodes += count(child);
  return nodes;
}`;
