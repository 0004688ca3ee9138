/** Mastra's own server behind Express, with agents whose model plays scripted answers. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Mastra } from '@mastra/core';
import { Agent } from '@mastra/core/agent';
import { createDurableAgent } from '@mastra/core/agent/durable';
import { MockMemory } from '@mastra/core/memory';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { MastraServer } from '@mastra/express';
import { convertArrayToReadableStream, MockLanguageModelV3 } from 'ai/test';
import express from 'express';
import { z } from 'zod';
import { done, textParts, type ModelPart } from './ai-sdk-server.ts';

/** What the model does in one step: it outputs parts, or a stream that the test writes, or it throws. */
type Step = readonly ModelPart[] | ReadableStream<ModelPart> | Error;

export interface MastraTestServer {
  readonly origin: string;
  /** Sets the answers of the model's next steps, in order. */
  play(...steps: readonly Step[]): void;
  /** The prompts of the model's steps since then: the role of each message, and its parts in short. */
  histories(): readonly (readonly (readonly [role: string, parts: readonly unknown[]])[])[];
  /** The inputs of the tools that have run since then. */
  readonly ran: readonly unknown[];
  /** Whether the model's last step was aborted. */
  isAborted(): boolean;
  /** Destroys all connections; later ones are accepted. */
  cut(): void;
  close(): Promise<void>;
}

const city = z.object({ city: z.string() });

/** @param offered - the ids of the agents that the server offers */
export async function mastraServer(offered = ['helper', 'remembering', 'durable']): Promise<MastraTestServer> {
  process.env['MASTRA_TELEMETRY_DISABLED'] = '1';
  // The source maps of `@mastra/core` take seconds to parse, with the first error that has a stack.
  process.setSourceMapsEnabled(false);
  let steps: Step[] = [];
  const ran: unknown[] = [];
  let calls: MockLanguageModelV3['doStreamCalls'] = [];
  const model = new MockLanguageModelV3({
    doStream: (options) => {
      calls.push(options);
      const step = steps.shift() ?? [...textParts('Nothing is left to say.'), ...done()];
      if (step instanceof Error) return Promise.reject(step);
      return Promise.resolve({
        stream: step instanceof ReadableStream ? step : convertArrayToReadableStream([...step]),
      });
    },
    // The routing agent of a network does not stream.
    doGenerate: async (options) => {
      const { stream } = await model.doStream(options);
      let text = '';
      let end: Extract<ModelPart, { type: 'finish' }> | undefined;
      for await (const part of stream) {
        if (part.type === 'text-delta') text += part.delta;
        if (part.type === 'finish') end = part;
      }
      const [last] = done();
      if (last?.type !== 'finish') throw new Error('The model has no end.');
      const { finishReason, usage } = end ?? last;
      return { content: [{ type: 'text', text }], finishReason, usage, warnings: [] };
    },
  });

  const weather = createTool({
    id: 'weather',
    description: 'The weather in a city',
    inputSchema: city,
    execute: (input) => {
      ran.push(input);
      if (input.city === 'Atlantis') throw new Error('No such city.');
      return Promise.resolve({ degrees: 21 });
    },
  });
  const book = createTool({
    id: 'book',
    description: 'Books a trip',
    inputSchema: city,
    requireApproval: true,
    execute: (input) => {
      ran.push(input);
      return Promise.resolve({ booked: input.city });
    },
  });
  const plan = createTool({
    id: 'plan',
    description: 'Plans a trip',
    inputSchema: city,
    suspendSchema: z.object({ message: z.string() }),
    resumeSchema: z.object({ day: z.string() }),
    execute: async (input, { agent }) => {
      if (!agent?.resumeData) return agent?.suspend({ message: 'Which day?' });
      ran.push(agent.resumeData);
      return { planned: input.city };
    },
  });
  const tools = { weather, book, plan };
  const instructions = 'Help.';
  const guide = new Agent({ id: 'guide', name: 'Guide', description: 'Knows Rome', instructions, model });
  const agency = new Agent({
    id: 'agency',
    name: 'Agency',
    description: 'Books trips',
    instructions,
    model,
    tools: { book },
  });
  const settings = { instructions, model, tools, agents: { guide, agency } };
  const agents = {
    helper: new Agent({ id: 'helper', name: 'Helper', ...settings }),
    remembering: new Agent({ id: 'remembering', name: 'Remembering', ...settings, memory: new MockMemory() }),
    durable: createDurableAgent({ agent: new Agent({ id: 'durable', name: 'Durable', ...settings }) }),
  };
  const mastra = new Mastra({
    logger: false,
    storage: new InMemoryStore(),
    agents: Object.fromEntries(Object.entries(agents).filter(([id]) => offered.includes(id))),
  });

  const app = express();
  app.use(express.json());
  await new MastraServer({ app, mastra }).init();
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    play(...next) {
      steps = [...next];
      ran.length = 0;
      calls = [];
    },
    histories: () => calls.map(({ prompt }) => prompt.map((message) => [message.role, partsInShort(message)])),
    ran,
    isAborted: () => calls.at(-1)?.abortSignal?.aborted === true,
    cut() {
      server.closeAllConnections();
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

type Message = MockLanguageModelV3['doStreamCalls'][number]['prompt'][number];

function partsInShort({ content }: Message): readonly unknown[] {
  if (typeof content === 'string') return [content];
  return content.map((part) => {
    switch (part.type) {
      case 'text':
        return part.text;
      case 'tool-call':
        return [part.toolCallId, part.input];
      case 'tool-result':
        return [part.toolCallId, 'value' in part.output ? part.output.value : part.output.type];
      default:
        return part.type;
    }
  });
}
