import { expect } from '@open-wc/testing';
import { protocolToPreload } from '../../src/protocols/detectors/preload-by-url.ts';
import { protocols } from '../../src/protocols/registry.ts';

describe('protocolToPreload()', () => {
  const rows = [
    ['https://api.openai.com/v1/chat/completions', 'openai-chat'],
    ['https://api.openai.com/v1/responses', 'openai-responses'],
    ['https://shop.example/OpenAI/agent', 'openai-chat'],
    ['https://shop.example/llm/chat/completions', 'openai-chat'],
    ['https://api.anthropic.com/v1/messages', 'anthropic'],
    ['https://generativelanguage.googleapis.com/v1beta/models/x:streamGenerateContent', 'gemini'],
    ['http://localhost:11434/api/chat', 'ollama'],
    ['https://shop.example/api/chat', 'ai-sdk'],
    ['https://shop.example/api/copilotkit', 'ag-ui'],
    ['https://shop.example/ag-ui', 'ag-ui'],
    ['https://api.dify.ai/v1/chat-messages', 'dify'],
    ['https://shop.example/api/v1/prediction/42', 'flowise'],
    ['https://agents.example/threads/1/runs/stream', 'langgraph'],
    ['http://localhost:8000/run_sse', 'adk'],
    ['https://shop.example/agent', undefined],
    ['https://shop.example/api/chat/stream', undefined],
    ['wss://shop.example/chat', undefined],
  ] as const;
  for (const [url, protocol] of rows) {
    it(`${url}: ${protocol ?? 'none'}`, () => {
      expect(protocolToPreload(new URL(url))).to.equal(protocol);
      if (protocol !== undefined) expect(protocols.get(protocol), 'is registered').to.not.equal(undefined);
    });
  }
});
