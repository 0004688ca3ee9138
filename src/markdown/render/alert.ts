/** Renders an alert: a quote with the localized name of its type and an icon. */
import { defineFrom } from '../../primitives/define-once.ts';
import { elementNode, type ElementNode, type VNode } from './vnode.ts';
import type { AlertToken } from '../parse/tokenizer.ts';
import type { MarkdownView } from './markdown-context.ts';

type Kind = NonNullable<AlertToken['alert']>;

export function alertBox(kind: Kind, content: readonly VNode[], { localize }: MarkdownView): ElementNode {
  // If the chunk fails to load, the alert has no icon and no colours.
  import('./alert-icon.ts').then(defineFrom, ignore);
  const icon: ElementNode = { ...elementNode('agent-chat-alert-icon', []), properties: { kind } };
  const name = elementNode('p', [icon, localize(`alert.${kind}`)], { class: 'alert-name', dir: 'auto' });
  return elementNode('div', [name, ...content], { class: `alert ${kind}`, role: 'note', dir: 'auto' });
}

const ignore = (): void => undefined;
