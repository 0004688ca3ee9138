/** The servers of the reference formats that the documentation offers for copying, read by the chat as from a real server. */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { inShort, realChat } from '../interop/support/real-chat.ts';
import { serversOf } from './support/spawned-servers.ts';

const expected: Readonly<Record<string, { readonly path: string; readonly messages: readonly (readonly string[])[] }>> =
  {
    'agent-phase': {
      path: 'phase-events',
      messages: [
        [
          'status',
          'success: read_messages({"since":1767225600000,"limit":40}) → 40 messages read',
          'error: read_calls({}) → The phone is not connected',
          'Two things came up:\n\nInes says the lift is slow, most of all in the morning.\n',
          'data: {"dataType":"summary","totals":{"messages":40,"people":2}}',
        ],
      ],
    },
    'message-field': {
      path: 'message-fields',
      messages: [
        ['thought: Two lakes are near. A search tells which one has a train.'],
        ['success: web_search({"q":"lakes with a station"}) → Lake Orne: station at the shore'],
        ['Take **Lake Orne**: the train stops at its shore.'],
      ],
    },
    'agentscope-msg': {
      path: 'agentscope-messages',
      messages: [
        ['thought: Which train?', 'I look it up.', 'success: find_train({"to":"Bergen"}) → 9:40, platform 2'],
        ['Take the train at 9:40.'],
        ['The one at 10:10 has a dining car.'],
      ],
    },
  };

for (const { name, start } of serversOf('backends/reference-formats')) {
  describe(`the reference formats from ${name}`, () => {
    let child: ChildProcess;
    let address = '';
    before(async () => {
      ({ child, address } = await start());
    });
    after(() => {
      child.kill();
    });

    for (const [protocol, { path, messages }] of Object.entries(expected)) {
      for (const named of [protocol, 'auto']) {
        it(`${path} with protocol="${named}"`, async () => {
          const { chat, errors } = realChat({ endpoint: `${address}/${path}`, protocol: named });
          const reply = await chat.send('Hello');
          const turn = chat.messages.slice(1);
          assert.deepEqual(turn.map(inShort), messages);
          assert.deepEqual([reply.status, reply.finish, errors], ['complete', 'complete', []]);
          assert.equal(chat.store.state.protocol, protocol);
        });
      }
    }

    for (const named of ['deepchat-events', 'auto']) {
      for (const decision of ['granted', 'denied'] as const) {
        it(`deepchat-events, ${decision} while the stream is open, with protocol="${named}"`, async () => {
          const { chat, sent } = realChat({ endpoint: `${address}/deepchat-events`, protocol: named });
          const reply = chat.send('Send it');
          const pending = () =>
            chat.messages.at(-1)?.blocks.find(({ type, status }) => type === 'action' && status === 'pending');
          for (let waited = 0; !pending(); waited += 20) {
            assert.ok(waited < 10_000, 'the question comes');
            await setTimeout(20);
          }
          await chat.respond(pending()?.id ?? '', decision);
          const { blocks, status } = await reply;
          assert.equal(status, 'complete');
          assert.equal(
            blocks.findLast(({ type }) => type === 'content')?.content,
            decision === 'granted' ? 'The letter is **on its way**.' : 'Then the letter stays here.',
          );
          assert.deepEqual(
            sent.map(({ body }) => Object.keys(body as object).filter((name) => name !== 'stream')).slice(1),
            [['permissions']],
            'one request for the decision, and none after it',
          );
        });
      }
    }

    for (const { what, path, body, status } of [
      { what: 'invalid JSON', path: '/phase-events', body: 'Hi', status: 400 },
      { what: 'an unknown address', path: '/', body: '{}', status: 404 },
      { what: 'a decision that nobody waits for', path: '/deepchat-events', body: '{"permissions":[]}', status: 410 },
    ]) {
      it(`${what} is refused`, async () => {
        assert.equal((await fetch(address + path, { method: 'POST', body })).status, status);
      });
    }
  });
}
