/** A page made with React, which writes its props as literals and renders on request. */
import { AgentChat, type ReactBlockProps } from 'agent-chat-element/react';
import { createElement, StrictMode, useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';

interface Host {
  /** Renders the parent again, this many times. */
  again(times: number): void;
  unmount(): void;
  readonly heard: string[];
  /** How often a component of a block was created, and not only rendered. */
  made: number;
  /** How often a setting of the widget was assigned. */
  set: number;
}
declare global {
  var host: Host;
}

let render: (count: number) => void = () => undefined;

function Chart({ block }: ReactBlockProps<'data'>): ReactNode {
  const [clicks, setClicks] = useState(0);
  useState(() => host.made++);
  return createElement(
    'button',
    {
      className: 'chart-of-the-page',
      onClick: () => {
        setClicks(clicks + 1);
      },
    },
    `${JSON.stringify(block.data.data)}, pressed ${String(clicks)}`,
  );
}

function App(): ReactNode {
  const [count, setCount] = useState(0);
  render = setCount;
  return createElement(
    AgentChat,
    {
      className: 'support',
      endpoint: '/agent',
      protocol: 'deepchat-events',
      heading: 'Harbor',
      strings: { 'composer.send': 'Go' },
      participants: { assistant: { name: 'Ada' } },
      suggestions: ['One', { label: 'Two', prompt: 'Two?' }],
      limits: { inputLength: 500 },
      headers: () => ({ 'x-count': String(count) }),
      tools: [{ name: 'now', description: 'The time', parameters: { type: 'object' }, execute: () => count }],
      messages: [{ role: 'user', text: 'Earlier' }],
      onAgentChatSend: () => host.heard.push(`send ${String(count)}`),
      blocks: [{ type: 'data', component: Chart }],
    },
    createElement('b', { slot: 'header-end' }, `rendered ${String(count)}`),
  );
}

const root = createRoot(document.querySelector('main')!);
globalThis.host = {
  again(times) {
    for (let count = 1; count <= times; count++) {
      flushSync(() => {
        render(count);
      });
    }
  },
  unmount() {
    root.unmount();
  },
  heard: [],
  made: 0,
  set: 0,
};
root.render(createElement(StrictMode, undefined, createElement(App)));
