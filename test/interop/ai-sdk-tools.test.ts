/** Tools of the AI SDK: on the server, on the page, and with the user's approval. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { dynamicTool, jsonSchema, tool, type ToolSet } from 'ai';
import { z } from 'zod';
import type { ClientTool } from '../../src/agents/tools.ts';
import { pendingActions, inShort, realChat } from './support/real-chat.ts';
import {
  aiServer,
  call,
  chatRoute,
  done,
  modelOf,
  promptsOf,
  textParts,
  type AiServer,
} from './support/ai-sdk-server.ts';

const city = z.object({ city: z.string() });
const user = (text: string) => ({ role: 'user', content: [{ type: 'text', text }] });
const called = (id: string, name: string, input: object) => ({
  type: 'tool-call',
  toolCallId: id,
  toolName: name,
  input,
});
const result = (id: string, name: string, output: object) => ({
  type: 'tool-result',
  toolCallId: id,
  toolName: name,
  output,
});
const asks = (...content: readonly object[]) => ({ role: 'assistant', content });
const gets = (...content: readonly object[]) => ({ role: 'tool', content });
const json = (value: unknown) => ({ type: 'json', value });

for (const protocol of ['ai-sdk', 'auto'])
  describe(`tools of the AI SDK, with protocol="${protocol}"`, () => {
    let server: AiServer;
    before(async () => {
      server = await aiServer();
    });
    after(() => server.close());

    const chatWith = (tools: readonly ClientTool[] = []) =>
      realChat({ endpoint: server.endpoint, protocol, threadId: 'c', tools });

    it('of the server run there, and the next turn has their results', async () => {
      const tools: ToolSet = {
        weather: tool({
          inputSchema: city,
          execute: (input) => {
            if (input.city === 'Atlantis') throw new Error('No such city.');
            return { sky: 'clear' };
          },
        }),
      };
      const model = modelOf(
        [
          ...textParts('I look.'),
          ...call('a', 'weather', { city: 'Lisbon' }),
          ...call('b', 'weather', { city: 'Atlantis' }),
          ...call('c', 'weather', { town: 'Lisbon' }),
          ...done('tool-calls'),
        ],
        [...textParts('Clear.'), ...done()],
        [...textParts('Yes.'), ...done()],
      );
      server.serve(chatRoute(model, { tools, onError: () => 'It failed.' }));
      const { chat, errors, sent } = chatWith();
      const reply = await chat.send('Weather?');
      assert.deepEqual(inShort(reply), [
        'I look.',
        'success: weather({"city":"Lisbon"}) → {"sky":"clear"}',
        'error: weather({"city":"Atlantis"}) → It failed.',
        'error: weather({"town":"Lisbon"}) → It failed.',
        'Clear.',
      ]);
      assert.equal(sent.length, 1);
      await chat.send('Sure?');
      assert.deepEqual(errors, []);
      const [, , last] = promptsOf(model);
      assert.deepEqual(last, [
        user('Weather?'),
        asks(
          { type: 'text', text: 'I look.' },
          called('a', 'weather', { city: 'Lisbon' }),
          called('b', 'weather', { city: 'Atlantis' }),
          called('c', 'weather', { town: 'Lisbon' }),
        ),
        gets(
          result('a', 'weather', json({ sky: 'clear' })),
          result('b', 'weather', { type: 'error-text', value: 'It failed.' }),
          result('c', 'weather', { type: 'error-text', value: 'It failed.' }),
        ),
        asks({ type: 'text', text: 'Clear.' }),
        user('Sure?'),
      ]);
    });

    // Version 5 streams no metadata of tools.
    it('of an MCP server name their app', { skip: process.env['AI_SDK'] === 'ai-5' }, async () => {
      const app = { resourceUri: 'ui://shop/cart', mimeType: 'text/html;profile=mcp-app' };
      const output = { content: [{ type: 'text', text: 'Cart 7' }] };
      const tools: ToolSet = {
        cart: dynamicTool({
          title: 'Cart',
          // The shape of `tools()` of `@ai-sdk/mcp` 2.
          metadata: { clientName: 'shop', toolName: 'cart', title: 'Cart', app },
          inputSchema: z.object({ id: z.number() }),
          execute: () => output,
        }),
      };
      const model = modelOf(
        [...call('a', 'cart', { id: 7 }), ...done('tool-calls')],
        [...textParts('Here.'), ...done()],
      );
      server.serve(chatRoute(model, { tools }));
      const { chat, errors } = chatWith();
      const reply = await chat.send('My cart');
      assert.deepEqual(inShort(reply), [`success: cart({"id":7}) → ${JSON.stringify(output)}`, 'ui', 'Here.']);
      assert.deepEqual(
        reply.blocks.flatMap((block) => (block.type === 'ui' ? [block.ui] : [])),
        [
          {
            kind: 'mcp-app',
            uri: 'ui://shop/cart',
            name: 'Cart',
            server: { id: 'shop' },
            arguments: { id: 7 },
            result: output,
          },
        ],
      );
      assert.deepEqual(errors, []);
    });

    // The first request of an unknown server does not offer the tools of the page.
    it(
      'of the page run in it, and the model is asked again with their results',
      { skip: protocol === 'auto' },
      async () => {
        const offered = z.record(z.string(), z.object({ description: z.string(), parameters: z.looseObject({}) }));
        const model = modelOf(
          [...call('a', 'where', {}), ...call('b', 'open', { tab: 2 }), ...done('tool-calls')],
          [...textParts('There.'), ...done()],
          [...textParts('Yes.'), ...done()],
        );
        server.serve((request) => {
          const tools = Object.entries(offered.parse(request.body.tools)).map(([name, { description, parameters }]) => [
            name,
            tool({ description, inputSchema: jsonSchema(parameters) }),
          ]);
          return chatRoute(model, { tools: Object.fromEntries(tools) as ToolSet })(request);
        });
        const parameters = { type: 'object', properties: { tab: { type: 'number' } } };
        const { chat, errors, sent } = chatWith([
          {
            name: 'where',
            description: 'Where the reader is',
            parameters: { type: 'object' },
            execute: () => ({ at: 'home' }),
          },
          {
            name: 'open',
            description: 'Opens a tab',
            parameters,
            execute: () => {
              throw new Error('No such tab.');
            },
          },
        ]);
        const reply = await chat.send('Where?');
        assert.deepEqual(inShort(reply), [
          'success: where({}) → {"at":"home"}',
          'error: open({"tab":2}) → No such tab.',
          'There.',
        ]);
        assert.equal(chat.messages.length, 2);
        assert.equal(sent.length, 2);
        await chat.send('Sure?');
        assert.deepEqual(errors, []);
        const round = [
          user('Where?'),
          asks(called('a', 'where', {}), called('b', 'open', { tab: 2 })),
          gets(
            result('a', 'where', json({ at: 'home' })),
            result('b', 'open', { type: 'error-text', value: 'No such tab.' }),
          ),
        ];
        assert.deepEqual(promptsOf(model), [
          [user('Where?')],
          round,
          [...round, asks({ type: 'text', text: 'There.' }), user('Sure?')],
        ]);
        assert.deepEqual(
          model.doStreamCalls[0]?.tools?.map(
            (tool) => tool.type === 'function' && [tool.name, tool.description, tool.inputSchema],
          ),
          [
            ['where', 'Where the reader is', { type: 'object' }],
            ['open', 'Opens a tab', parameters],
          ],
        );
      },
    );

    // Version 5 has no approvals.
    describe('that need the user’s approval', { skip: process.env['AI_SDK'] === 'ai-5' }, () => {
      function serveRemoval() {
        const ran: unknown[] = [];
        const tools: ToolSet = {
          remove: tool({
            inputSchema: z.object({ file: z.string() }),
            needsApproval: true,
            execute: (input) => {
              ran.push(input);
              return { gone: input.file };
            },
          }),
        };
        const model = modelOf(
          [...textParts('I tidy up.'), ...call('a', 'remove', { file: 'a.txt' }), ...done('tool-calls')],
          [...textParts('So be it.'), ...done()],
          [...textParts('Yes.'), ...done()],
        );
        server.serve(chatRoute(model, { tools }));
        return { ran, model };
      }
      const history = [
        user('Tidy'),
        asks({ type: 'text', text: 'I tidy up.' }, called('a', 'remove', { file: 'a.txt' })),
      ];

      it('run when they are granted', async () => {
        const { ran, model } = serveRemoval();
        const { chat, errors } = chatWith();
        const sending = chat.send('Tidy');
        const [question] = await pendingActions(chat);
        assert.deepEqual(ran, []);
        await chat.respond(question?.id ?? '', 'granted');
        assert.deepEqual(inShort(await sending), [
          'I tidy up.',
          'success: remove({"file":"a.txt"}) → {"gone":"a.txt"}',
          'tool_call_permission: granted',
          'So be it.',
        ]);
        assert.deepEqual(ran, [{ file: 'a.txt' }]);
        await chat.send('Sure?');
        assert.deepEqual(errors, []);
        const text = JSON.stringify(promptsOf(model)[2]);
        assert.ok(text.includes(JSON.stringify(result('a', 'remove', json({ gone: 'a.txt' })))), text);
        assert.equal(ran.length, 1);
      });

      it('do not run when they are denied, and the model gets the reason', async () => {
        const { ran, model } = serveRemoval();
        const { chat, errors } = chatWith();
        const sending = chat.send('Tidy');
        const [question] = await pendingActions(chat);
        await chat.respond(question?.id ?? '', 'denied', { note: 'I need it.' });
        const [, card, answer, last] = inShort(await sending);
        assert.match(card ?? '', /^error: remove\({"file":"a.txt"}\)/);
        assert.deepEqual([answer, last], ['tool_call_permission: denied', 'So be it.']);
        await chat.send('Sure?');
        assert.deepEqual(ran, []);
        assert.deepEqual(errors, []);
        const denied = gets(result('a', 'remove', { type: 'execution-denied', reason: 'I need it.' }));
        assert.deepEqual(promptsOf(model)[1], [...history, denied]);
        assert.ok(JSON.stringify(promptsOf(model)[2]).includes('I need it.'));
      });
    });
  });
