/**
 * Renders nodes so that each keeps its elements when others come, go or move before it: by position, Lit would reuse the
 * focused input of one node for another, and the next keys of a password would go into a plain field.
 */
import { repeat } from 'lit/directives/repeat.js';
import type { UiNode } from '../read/node-types.ts';

export const keyedNodes = (nodes: readonly UiNode[], render: (node: UiNode) => unknown): unknown =>
  repeat(nodes, controlKey, render);

/** Changes with what makes a node another control, so that a focused one does not become a control with another effect. */
function controlKey(node: UiNode): string {
  const choice = node.type === 'ChoicePicker' && [node.style, node.several];
  const press = node.type === 'Button' && node.press.kind;
  return JSON.stringify([
    node.key,
    node.type,
    'kind' in node && node.kind,
    'path' in node && [node.path],
    choice,
    press,
  ]);
}
