/** A page made with React that its server has rendered: here once more, and then it is React's. */
import { AgentChat } from 'agent-chat-element/react';
import { createElement, type ReactNode } from 'react';
import { hydrateRoot } from 'react-dom/client';

function App(): ReactNode {
  return createElement('main', undefined, createElement(AgentChat, { endpoint: '/agent', className: 'support' }));
}

hydrateRoot(document.body, createElement(App));
