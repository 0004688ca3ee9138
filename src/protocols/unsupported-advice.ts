import type { UnsupportedProduct } from './unsupported-products.ts';

/** What to use instead of a product that the widget does not support. */
export const unsupportedAdvice: Readonly<Record<UnsupportedProduct, string>> = {
  Chainlit: 'It uses Socket.IO for its own page and has no HTTP stream. Add an HTTP endpoint for the chat.',
  'an old CopilotKit runtime':
    'It answers in GraphQL. Version 2 of its runtime (@copilotkit/runtime/v2) uses AG-UI, which works at the same address.',
  'an MCP server': 'It offers tools but no chat. Point the endpoint at the agent that uses it.',
  'Amazon Bedrock’s binary event stream':
    'Browsers can’t read it. Decode it on your server and send its events as JSON.',
};
