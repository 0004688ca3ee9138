/**
 * Products that are known and can't be spoken to, so that whoever points the widget at one is told what it is. Source: `other.md`;
 * the contract, section 4 ("Recognised with a clear message").
 */
import type { SignFrame, Signs } from './adapter.ts';
import { isRecord } from '../model/json.ts';

export interface Foreign {
  readonly name: string;
  /** What to do instead. */
  readonly advice: string;
}

const chainlit: Foreign = {
  name: 'Chainlit',
  advice: 'It speaks Socket.IO to its own page and has no HTTP stream. Put an HTTP endpoint beside it.',
};
const chatKit: Foreign = {
  name: 'a ChatKit server',
  advice: 'Its protocol belongs to OpenAI’s own widget. Point the endpoint at the agent behind it.',
};
const copilotKit: Foreign = {
  name: 'an old CopilotKit runtime',
  advice: 'It answers in GraphQL. Newer runtimes speak AG-UI, which works.',
};
const mcp: Foreign = {
  name: 'an MCP server',
  advice: 'It has tools and no chat. Point the endpoint at the agent that uses it.',
};

const MCP_RESULTS = ['protocolVersion', 'serverInfo', 'tools', 'resources', 'prompts'];
const CHAT_KIT = /^thread\.(?:created|updated|item\.\w+)$/;
const COPILOT_KIT = /^(?:TextMessage|ActionExecution)(?:Start|Content|Args|End|Result)$/;

/** How engine.io begins, which carries Chainlit's Socket.IO. */
const HANDSHAKE = /^\d+\{"sid":"/;

/** What it is, as soon as one of the first frames says so. */
export function foreignOf({ headers, framing, frames }: Signs): Foreign | undefined {
  if (headers.has('mcp-session-id')) return mcp;
  if (headers.get('content-type')?.startsWith('multipart/mixed')) return copilotKit;
  // Words are cut by the network alone.
  if (framing === 'text' && HANDSHAKE.test(frames.map(({ data }) => data).join(''))) return chainlit;
  for (const frame of frames) {
    const found = foreignFrame(frame);
    if (found) return found;
  }
  return undefined;
}

function foreignFrame({ json, event }: SignFrame): Foreign | undefined {
  if (!isRecord(json)) return undefined;
  const { type, jsonrpc, result, method } = json;
  if (jsonrpc === '2.0') {
    const answers = isRecord(result) && MCP_RESULTS.some((name) => Object.hasOwn(result, name));
    const asks = typeof method === 'string' && /^(?:notifications|sampling|roots)\//.test(method);
    if (answers || asks) return mcp;
  }
  if (typeof type !== 'string') return undefined;
  if (COPILOT_KIT.test(type)) return copilotKit;
  // The Assistants' events of such names have them as the event's own.
  return event === undefined && CHAT_KIT.test(type) ? chatKit : undefined;
}
