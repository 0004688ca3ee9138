/** A React page rendered on the server: rendered again here, and hydrated. */
import { AgentChat } from 'agent-chat-element/react';
import { createElement, type ReactNode } from 'react';
import { hydrateRoot } from 'react-dom/client';

function App(): ReactNode {
  return createElement('main', undefined, createElement(AgentChat, { endpoint: '/agent', className: 'support' }));
}

hydrateRoot(document.body, createElement(App));
