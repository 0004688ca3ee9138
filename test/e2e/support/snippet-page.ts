/** Stand-ins for what a page has besides its widget, so that the snippets of the documents can run. */
import { AgentChat, defineRenderer } from 'agent-chat-element';
import { html } from 'lit';

const nothing = async (): Promise<undefined> => Promise.resolve(undefined);

/** Adds them to the page. */
export const standIn = (): object =>
  Object.assign(globalThis, {
    AgentChat,
    defineRenderer,
    html,
    session: { token: async () => Promise.resolve('t') },
    customer: { id: 'c' },
    currentUser: { id: 'u' },
    tenant: 'north',
    api: Object.assign(async () => Promise.resolve([]), { request: fetch.bind(globalThis) }),
    storage: { put: async () => Promise.resolve({ url: 'https://files.example/1' }) },
    cart: { items: [], apply: nothing },
    shop: { refund: nothing },
    metrics: { count: () => undefined },
    log: () => undefined,
    token: async () => Promise.resolve('t'),
    renewToken: () => undefined,
    save: nothing,
    openTicket: nothing,
    book: nothing,
  });
