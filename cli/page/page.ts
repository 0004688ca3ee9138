/**
 * The page of the command: configures the widget, sends its requests to the local server, and lists the server's
 * reports.
 */
import type { AgentChat, OutgoingRequest } from '../../src/index.ts';

interface Config {
  readonly title: string;
  readonly token: string;
  readonly endpoint?: string;
  readonly origin?: string;
  readonly protocol?: AgentChat['protocol'];
  readonly protocols: readonly string[];
  readonly agent?: string;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly tools?: boolean;
}

interface Line {
  readonly kind: string;
  readonly text: string;
  readonly code?: string;
}

const config = JSON.parse(document.querySelector('#config')?.textContent ?? '{}') as Config;
const { token, endpoint, origin } = config;

/** Requests for the agent's server go through the local one, with the token; all others are unchanged. */
function throughLocal(request: OutgoingRequest): OutgoingRequest {
  const url = new URL(request.url, location.href);
  const isSocket = url.protocol.startsWith('ws');
  if (url.origin.replace(/^ws/, 'http') === origin) {
    url.protocol = isSocket ? 'ws:' : 'http:';
    url.host = location.host;
  }
  if (url.host !== location.host) return request;
  if (isSocket) {
    url.searchParams.set('agent-chat-token', token);
    return { ...request, url: url.href };
  }
  const headers = { ...Object.fromEntries(new Headers(request.init.headers)), 'x-agent-chat-token': token };
  return { ...request, url: url.href, init: { ...request.init, headers } };
}

function show({ kind, text, code }: Line): void {
  const item = document.createElement('li');
  item.dataset['kind'] = kind;
  item.append(text);
  if (code !== undefined) {
    const pre = document.createElement('pre');
    pre.textContent = code;
    pre.tabIndex = 0;
    item.append(pre);
  }
  document.querySelector('ol')?.append(item);
}

await customElements.whenDefined('agent-chat');
const chat = document.querySelector('agent-chat');
if (!chat) throw new Error('The page has no widget.');
document.title = config.title;
const heading = document.querySelector('h1');
if (heading) heading.textContent = config.title;

const pickers = document.querySelectorAll('select');
for (const picker of pickers) {
  if (picker.name === 'protocol') {
    const named = typeof config.protocol === 'object' && 'id' in config.protocol ? config.protocol.id : config.protocol;
    for (const id of ['auto', ...config.protocols]) picker.add(new Option(id, id, id === named, id === named));
    if (typeof config.protocol === 'object') picker.add(new Option(`${named ?? ''} (mapping)`, 'mapping', true, true));
  }
  picker.addEventListener('change', () => {
    if (picker.value === 'mapping') chat.protocol = config.protocol;
    else if (picker.name === 'protocol') chat.protocol = picker.value;
    else chat.setAttribute(picker.name, picker.value);
  });
}

chat.persist = 'none';
if (endpoint === undefined) chat.toggleAttribute('demo', true);
else {
  chat.transformRequest = throughLocal;
  // Where the widget sends it, the local server adds the user's keys. A WebSocket has no headers.
  if (!endpoint.startsWith('ws')) chat.headers = { 'x-agent-chat-own': token };
  if (config.protocol !== undefined) chat.protocol = config.protocol;
  if (config.agent !== undefined) chat.agent = config.agent;
  if (config.body !== undefined) chat.body = config.body;
  if (config.tools) {
    const { default: tools } = (await import(/* @vite-ignore */ `/-/${token}/tools.js`)) as {
      readonly default: AgentChat['tools'];
    };
    chat.tools = tools;
  }
  // Its real address: a protocol may compare it with the addresses that the server names, such as an agent card.
  chat.endpoint = endpoint;
}

const lines = new EventSource(`/-/${token}/lines`);
lines.addEventListener('message', ({ data }: MessageEvent<string>) => {
  show(JSON.parse(data) as Line);
});
