/** The note that the user adds to a decision: no request of any protocol has it without the page's `redact`. */
import { expect } from '@open-wc/testing';
import { ProtocolRegistry } from '../../../src/protocols/registry.ts';
import { createMessageRedactor } from '../../../src/runtime/masking/redact-for-sending.ts';
import type { ChatMessage } from '../../../src/model/message.ts';
import * as aiSdk from '../../protocols/ai-sdk/streams.ts';
import { isAsking, makeChat, pending, until } from '../support/make-chat.ts';
import { stream } from '../support/scripted-server.ts';
import { assistant, conversation, toolBlock, user } from '../../support/messages.ts';
import { emptyTurn, requestOptions } from '../../support/play-body.ts';

const answered: ChatMessage['blocks'][number] = {
  type: 'action',
  id: 'q',
  status: 'denied',
  timestamp: 0,
  action_type: 'tool_call_permission',
  tool_call: { id: 'c1', name: 'look', params: '{}' },
  extra: { requestId: 'ap1', note: 'Ann forbids it', answer: 'Ann forbids it', decided: 1 },
};

const ask = (): Promise<{ headers: Headers; json: unknown }> =>
  Promise.resolve({
    headers: new Headers(),
    json: { thread_id: 't', id: 't', sessionId: 't', url: 'https://a.example/' },
  });

const textOf = async (body: unknown): Promise<string> =>
  typeof body === 'string' || body instanceof Blob || body instanceof FormData
    ? new Response(body).text()
    : JSON.stringify(body ?? '');

describe('rule 121: the note of a permission', () => {
  for (const { id, load } of new ProtocolRegistry().list()) {
    it(`${id}: is redacted in the requests of later turns`, async () => {
      const adapter = await load();
      const reply = assistant([toolBlock('c1', 'look', '{}', 'found'), answered]);
      const messages = conversation(user('Hi'), reply, user('And?')).map(
        createMessageRedactor((text) => text.replaceAll('Ann', 'A.')),
      );
      const body = id === 'adk' ? { appName: 'app' } : undefined;
      const { init } = await adapter.request(
        { ...emptyTurn, text: 'And?', messages },
        { ...requestOptions, ask, body },
      );
      expect(await textOf(init.body)).not.to.contain('Ann');
    });
  }

  for (const decision of ['granted', 'denied'] as const) {
    it(`ai-sdk: is redacted in the request that answers with "${decision}", and in the next one`, async () => {
      const asks = aiSdk.stream(
        { type: 'start', messageId: 'm' },
        aiSdk.startStep,
        aiSdk.toolInput('c', 'f', { p: 1 }),
        { type: 'tool-approval-request', approvalId: 'ap', toolCallId: 'c' },
        aiSdk.finishStep,
        aiSdk.finish('tool-calls'),
      );
      const ends = aiSdk.stream(aiSdk.startStep, ...aiSdk.textChunks('Fine.'), aiSdk.finishStep, aiSdk.finish());
      const { chat, server } = makeChat([stream(asks), stream(ends), stream(ends)], {
        protocol: 'ai-sdk',
        redact: (text) => text.replaceAll('Ann', 'A.'),
      });
      const reply = chat.send('Hi');
      await until(chat, isAsking);
      await chat.respond(pending(chat).id, decision, { note: 'Ann says so' });
      await reply;
      await chat.send('And?');
      const [first, ...later] = server.bodies.map((body) => JSON.stringify(body));
      expect(first).not.to.contain('says so');
      expect(later).to.have.length(2);
      for (const body of later) expect(body).to.contain('A. says so').and.not.to.contain('Ann');
      expect(chat.messages[1]?.blocks.find(({ type }) => type === 'action')?.extra?.['note']).to.equal('Ann says so');
    });
  }
});
