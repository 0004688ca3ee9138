/** The same server made with each of the three versions of Vercel's `ai` that are in use. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type * as Ai from 'ai';
import { convertArrayToReadableStream, type MockLanguageModelV3 } from 'ai/test';
import { z } from 'zod';
import type { ClientTool } from '../../src/agents/tools.ts';
import { asked, inShort, realChat, shows } from './support/real-chat.ts';
import {
  aiServer,
  call,
  done,
  growing,
  plain,
  words,
  type AiServer,
  type Asked,
  type ModelPart,
} from './support/ai-sdk-server.ts';

type Model = Pick<MockLanguageModelV3, 'doStreamCalls'>;
type Steps = readonly (readonly ModelPart[] | ReadableStream<ModelPart>)[];

interface Version {
  readonly name: string;
  readonly ai: typeof Ai;
  model(steps: Steps): Model;
  /** Whether a tool can wait for the user's approval. */
  readonly approves: boolean;
}

/** The model interface of version 5 has plain reasons and numbers at the end of a step. */
const asV2 = (part: ModelPart): object =>
  part.type === 'finish'
    ? { ...part, finishReason: part.finishReason.unified, usage: { inputTokens: 3, outputTokens: 4, totalTokens: 7 } }
    : part;

function modelMaker(
  Mock: new (options: object) => Model,
  convert: (part: ModelPart) => object = (part) => part,
): Version['model'] {
  return (steps) => {
    const waiting = steps.values();
    return new Mock({
      doStream: () => {
        const { value: step = done('error') } = waiting.next();
        return Promise.resolve({
          stream: step instanceof ReadableStream ? step : convertArrayToReadableStream(step.map(convert)),
        });
      },
    });
  };
}

const [ai5, test5, ai6, test6, ai7, test7] = await Promise.all([
  import('ai-5'),
  import('ai-5/test'),
  import('ai'),
  import('ai/test'),
  import('ai-7'),
  import('ai-7/test'),
]);
// The functions that the tests use are the same in all of them.
const VERSIONS: readonly Version[] = [
  {
    name: 'ai@5',
    ai: ai5 as unknown as typeof Ai,
    model: modelMaker(test5.MockLanguageModelV2 as unknown as new (options: object) => Model, asV2),
    approves: false,
  },
  {
    name: 'ai@6',
    ai: ai6,
    model: modelMaker(test6.MockLanguageModelV3),
    approves: true,
  },
  {
    name: 'ai@7',
    ai: ai7 as unknown as typeof Ai,
    model: modelMaker(test7.MockLanguageModelV3 as unknown as new (options: object) => Model),
    approves: true,
  },
];

const user = (text: string) => ({ role: 'user', content: [{ type: 'text', text }] });

for (const { name, ai, model: makeModel, approves } of VERSIONS) {
  describe(`a server of ${name}`, () => {
    let server: AiServer;
    before(async () => {
      server = await aiServer();
    });
    after(() => server.close());

    /** A route as the SDK's guides have it. */
    function serve(model: Model, tools: Ai.ToolSet = {}): void {
      server.serve(async ({ body, response, gone }: Asked) => {
        const messages = body.messages as Ai.UIMessage[];
        const result = ai.streamText({
          model: model as MockLanguageModelV3,
          tools,
          // Version 5 returns the messages themselves, later ones a promise.
          messages: await ai.convertToModelMessages(messages, { tools }),
          stopWhen: ai.stepCountIs(5),
          abortSignal: gone,
          onError: () => undefined,
        });
        await result.pipeUIMessageStreamToResponse(response, {
          originalMessages: messages,
          onError: () => 'The model is overloaded.',
        });
      });
    }
    const chatWith = (tools: readonly ClientTool[] = []) =>
      realChat({ endpoint: server.endpoint, protocol: 'auto', threadId: 'c', tools });
    const promptsOf = (model: Model): readonly unknown[] => model.doStreamCalls.map(({ prompt }) => plain(prompt));

    it('is detected, and its next turn has the history', async () => {
      const model = makeModel([
        [...words('Grüße 👋🏽'), ...done()],
        [...words('Yes.'), ...done()],
      ]);
      serve(model);
      const { chat, errors } = chatWith();
      const reply = await chat.send('Hi');
      assert.deepEqual([inShort(reply), reply.status, chat.store.state.protocol], [['Grüße 👋🏽'], 'complete', 'ai-sdk']);
      await chat.send('Sure?');
      assert.deepEqual(errors, []);
      assert.deepEqual(promptsOf(model)[1], [
        user('Hi'),
        { role: 'assistant', content: [{ type: 'text', text: 'Grüße 👋🏽' }] },
        user('Sure?'),
      ]);
    });

    it('runs its own tools, and the page’s tools in the page', async () => {
      const city = z.object({ city: z.string() });
      const model = makeModel([
        [...call('a', 'weather', { city: 'Lisbon' }), ...done('tool-calls')],
        [...call('b', 'where', { city: 'Lisbon' }), ...done('tool-calls')],
        [...words('There.'), ...done()],
      ]);
      serve(model, {
        weather: ai.tool({ inputSchema: city, execute: () => ({ sky: 'clear' }) }),
        where: ai.tool({ inputSchema: city }),
      });
      const where = { name: 'where', description: '', parameters: {}, execute: () => ({ at: 'home' }) };
      const { chat, errors } = chatWith([where]);
      assert.deepEqual(inShort(await chat.send('Where?')), [
        'success: weather({"city":"Lisbon"}) → {"sky":"clear"}',
        'success: where({"city":"Lisbon"}) → {"at":"home"}',
        'There.',
      ]);
      assert.deepEqual(errors, []);
      assert.match(JSON.stringify(promptsOf(model)[2]), /"toolCallId":"b".*"at":"home"/);
    });

    if (approves) {
      it('waits for the user’s approval of a tool', async () => {
        const ran: unknown[] = [];
        const model = makeModel([
          [...call('a', 'remove', { file: 'a.txt' }), ...done('tool-calls')],
          [...words('So be it.'), ...done()],
        ]);
        serve(model, {
          remove: ai.tool({
            inputSchema: z.object({ file: z.string() }),
            needsApproval: true,
            execute: (input) => {
              ran.push(input);
              return { gone: input.file };
            },
          }),
        });
        const { chat, errors } = chatWith();
        const sending = chat.send('Tidy');
        const [question] = await asked(chat);
        assert.deepEqual(ran, []);
        await chat.respond(question?.id ?? '', 'granted');
        assert.deepEqual(inShort(await sending), [
          'success: remove({"file":"a.txt"}) → {"gone":"a.txt"}',
          'tool_call_permission: granted',
          'So be it.',
        ]);
        assert.deepEqual([ran, errors], [[{ file: 'a.txt' }], []]);
      });
    }

    it('stops when the user stops', async () => {
      const growingModel = growing();
      const model = makeModel([growingModel.stream]);
      serve(model);
      const { chat, errors } = chatWith();
      const sending = chat.send('Tell');
      growingModel.say({ type: 'text-start', id: '0' }, { type: 'text-delta', id: '0', delta: 'Once' });
      await shows(chat, 'Once');
      const signal = model.doStreamCalls[0]?.abortSignal;
      const stopped = new Promise((resolve) => signal?.addEventListener('abort', resolve));
      chat.stop();
      await stopped;
      assert.equal((await sending).status, 'cancelled');
      assert.deepEqual(errors, []);
    });

    it('reports an error after the text', async () => {
      serve(makeModel([[...words('Half'), { type: 'error', error: new Error('secret') }, ...done('error')]]));
      const reply = await chatWith().chat.send('Hi');
      assert.deepEqual([inShort(reply), reply.status], [['Half', 'error: The model is overloaded.'], 'error']);
    });
  });
}
