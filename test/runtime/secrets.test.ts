import { expect } from '@open-wc/testing';
import { sse } from '../support/play-body.ts';
import { makeChat } from './support/make-chat.ts';
import { stream } from './support/scripted-server.ts';

const OURS = 'our-own-secret-value';
const SHAPED = 'sk-abcdefghijklmnop';
const words = `denied for ${OURS} and ${SHAPED}`;

/** Source: `docs/security.md`, rule 13. */
describe('rule 13: what a server says of its troubles', () => {
  const streams = [
    {
      name: 'an error event',
      protocol: 'agent-session',
      body: sse({ type: 'error', data: { error_type: 'x', message: words } }),
    },
    { name: 'an error chunk', protocol: 'openai-chat', body: sse({ error: { message: words, code: 'bad' } }) },
    {
      name: 'a failed tool call',
      protocol: 'deepchat-events',
      body: sse(
        {
          type: 'response',
          data: {
            eventId: 'e',
            tool_call: 'error',
            tool_call_id: 't',
            tool_call_response: words,
            tool_call_error: { message: words },
          },
        },
        { type: 'end', data: { eventId: 'e', userStop: false } },
      ),
    },
    { name: 'a stream of an unknown protocol', protocol: 'auto', body: sse({ odd: words }) },
    { name: 'a web page', protocol: 'agent-session', body: `<!doctype html><p>${words}` },
  ];
  const headers = [
    { name: 'headers', settings: { headers: { 'x-key': OURS } } },
    {
      name: 'transformRequest',
      settings: {
        transformRequest: (request: {
          readonly url: string;
          readonly init: RequestInit;
          readonly protocol: string | undefined;
        }) => ({
          ...request,
          conversation: [],
          init: { ...request.init, headers: { 'x-key': OURS } },
        }),
      },
    },
  ];
  for (const { name, protocol, body } of streams) {
    for (const { name: way, settings } of headers) {
      it(`${name}, without the credential sent by ${way}`, async () => {
        const { chat, told } = makeChat([stream(body)], { protocol, ...settings });
        await chat.send('Hi');
        const shown = JSON.stringify([chat.messages, told.events, told.errors.map(({ message }) => message)]);
        expect(shown).to.contain('denied for *** and ***');
        expect(shown).not.to.contain(OURS);
        expect(shown).not.to.contain(SHAPED);
      });
    }
  }
});
