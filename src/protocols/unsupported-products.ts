/**
 * Known products that the widget does not support. The error message names the product and says what to use instead.
 */
import type { SignFrame, Signs } from './core/adapter.ts';
import { isRecord } from '../model/json.ts';

export interface UnsupportedProduct {
  readonly name: string;
  /** Suggests an alternative. */
  readonly advice: string;
}

const chainlit: UnsupportedProduct = {
  name: 'Chainlit',
  advice: 'It uses Socket.IO for its own page and has no HTTP stream. Add an HTTP endpoint for the chat.',
};
const copilotKit: UnsupportedProduct = {
  name: 'an old CopilotKit runtime',
  advice:
    'It answers in GraphQL. Version 2 of its runtime (@copilotkit/runtime/v2) uses AG-UI, which works at the same address.',
};
const mcp: UnsupportedProduct = {
  name: 'an MCP server',
  advice: 'It offers tools but no chat. Point the endpoint at the agent that uses it.',
};

const bedrock: UnsupportedProduct = {
  name: 'Amazon Bedrock’s binary event stream',
  advice: 'Browsers can’t read it. Decode it on your server and send its events as JSON.',
};

const MCP_RESULTS = ['protocolVersion', 'serverInfo', 'tools', 'resources', 'prompts'];
const COPILOT_KIT = /^(?:TextMessage|ActionExecution)(?:Start|Content|Args|End|Result)$/;

/** The start of an engine.io handshake, the transport of Chainlit's Socket.IO. */
const HANDSHAKE = /^\d+\{"sid":"/;

/** Detects an unsupported product by the headers or one of the first frames. */
export function detectUnsupportedProduct({ headers, framing, frames }: Signs): UnsupportedProduct | undefined {
  if (headers.has('mcp-session-id')) return mcp;
  const type = headers.get('content-type') ?? '';
  if (type.startsWith('multipart/mixed')) return copilotKit;
  if (type.startsWith('application/vnd.amazon.eventstream')) return bedrock;
  // Text frames are split arbitrarily by the network.
  if (framing === 'text' && HANDSHAKE.test(frames.map(({ data }) => data).join(''))) return chainlit;
  for (const frame of frames) {
    const product = productOfFrame(frame);
    if (product) return product;
  }
  return undefined;
}

function productOfFrame({ json }: SignFrame): UnsupportedProduct | undefined {
  if (!isRecord(json)) return undefined;
  const { type, jsonrpc, result, method } = json;
  if (jsonrpc === '2.0') {
    const isAnswer = isRecord(result) && MCP_RESULTS.some((name) => Object.hasOwn(result, name));
    const isRequest = typeof method === 'string' && /^(?:notifications|sampling|roots)\//.test(method);
    if (isAnswer || isRequest) return mcp;
  }
  if (typeof type !== 'string') return undefined;
  return COPILOT_KIT.test(type) ? copilotKit : undefined;
}
