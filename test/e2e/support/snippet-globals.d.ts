/** Globals that the snippets of the documents take from their page. `snippet-page.ts` has stand-ins for them. */
import type { AgentChat } from 'agent-chat-element';

declare global {
  var chat: AgentChat;
  var session: { readonly token: string & (() => string) };
  var customer: { readonly id: string };
  var currentUser: { readonly id: string };
  var tenant: string;
  var api: ((method: string, path: string, body?: unknown) => Promise<never>) & {
    request(url: RequestInfo | URL, init: object): Promise<Response>;
  };
  var storage: { put(file: File, options: object): Promise<{ readonly url: string }> };
  var cart: { readonly items: readonly string[]; apply(code: string, options: object): Promise<string> };
  var shop: { refund(order: string, amount: number): Promise<string> };
  var metrics: { count(name: string, facts: object): void };
  var log: (...words: unknown[]) => void;
  var token: () => Promise<string>;
  var renewToken: () => void;
  var save: (...facts: readonly unknown[]) => Promise<void>;
  var openTicket: (...facts: readonly unknown[]) => Promise<void>;
  var book: (name: string, context: unknown) => Promise<void>;
  var html: (strings: TemplateStringsArray, ...values: unknown[]) => unknown;
}
