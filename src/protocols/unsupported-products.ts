/** Detects known products that the widget does not support. */
import type { DetectionFrame, DetectionInput } from './core/adapter.ts';
import { isRecord } from '../model/json.ts';

/** The name of a product; what to use instead is in `unsupported-advice.ts`, which is loaded on demand. */
export type UnsupportedProduct =
  | 'Chainlit'
  | 'an old CopilotKit runtime'
  | 'an MCP server'
  | 'Amazon Bedrock’s binary event stream';

const MCP_RESULTS = ['protocolVersion', 'serverInfo', 'tools', 'resources', 'prompts'];
const COPILOT_KIT = /^(?:TextMessage|ActionExecution)(?:Start|Content|Args|End|Result)$/;

/** The start of an engine.io handshake, the transport of Chainlit's Socket.IO. */
const HANDSHAKE = /^\d+\{"sid":"/;

/** Detects an unsupported product by the headers or one of the first frames. */
export function detectUnsupportedProduct({ headers, framing, frames }: DetectionInput): UnsupportedProduct | undefined {
  if (headers.has('mcp-session-id')) return 'an MCP server';
  const type = headers.get('content-type') ?? '';
  if (type.startsWith('multipart/mixed')) return 'an old CopilotKit runtime';
  if (type.startsWith('application/vnd.amazon.eventstream')) return 'Amazon Bedrock’s binary event stream';
  // Text frames are split arbitrarily by the network.
  if (framing === 'text' && HANDSHAKE.test(frames.map(({ data }) => data).join(''))) return 'Chainlit';
  for (const frame of frames) {
    const product = productOfFrame(frame);
    if (product) return product;
  }
  return undefined;
}

function productOfFrame({ json }: DetectionFrame): UnsupportedProduct | undefined {
  if (!isRecord(json)) return undefined;
  const { type, jsonrpc, result, method } = json;
  if (jsonrpc === '2.0') {
    const isAnswer = isRecord(result) && MCP_RESULTS.some((name) => Object.hasOwn(result, name));
    const isRequest = typeof method === 'string' && /^(?:notifications|sampling|roots)\//.test(method);
    if (isAnswer || isRequest) return 'an MCP server';
  }
  if (typeof type !== 'string') return undefined;
  return COPILOT_KIT.test(type) ? 'an old CopilotKit runtime' : undefined;
}
