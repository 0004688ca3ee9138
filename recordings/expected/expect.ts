/** The protocol of a recorded address, and the reader of its streams, which shares no code with `src/`. */
import { expectAnthropic } from './anthropic.ts';
import { expectCohere } from './cohere.ts';
import type { Payload } from './frames.ts';
import { expectGeminiInteractions } from './gemini-interactions.ts';
import { expectGemini } from './gemini.ts';
import { expectOllama } from './ollama.ts';
import { expectOpenAiChat } from './openai-chat.ts';
import { expectOpenAiResponses } from './openai-responses.ts';
import type { Summary } from './summary.ts';

interface Reader {
  readonly protocol: string;
  readonly address: RegExp;
  readonly expect: (payloads: readonly Payload[]) => Summary;
}

/** Each vendor's address of streamed replies. */
const readers: readonly Reader[] = [
  { protocol: 'openai-chat', address: /\/chat\/completions$/, expect: expectOpenAiChat },
  { protocol: 'openai-responses', address: /\/responses$/, expect: expectOpenAiResponses },
  {
    protocol: 'anthropic',
    address: /\/messages$|\/publishers\/anthropic\/.+:streamRawPredict$/,
    expect: expectAnthropic,
  },
  { protocol: 'gemini', address: /:streamGenerateContent$/, expect: expectGemini },
  { protocol: 'gemini-interactions', address: /\/interactions$/, expect: expectGeminiInteractions },
  { protocol: 'ollama', address: /\/api\/(?:chat|generate)$/, expect: expectOllama },
  { protocol: 'cohere', address: /\/v2\/chat$/, expect: expectCohere },
];

export const readerOf = ({ pathname }: URL): Reader | undefined =>
  readers.find(({ address }) => address.test(pathname));
