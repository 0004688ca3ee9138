import { expect } from '@open-wc/testing';
import { detectors } from '../../../src/protocols/detectors.ts';
import { protocols } from '../../../src/protocols/registry.ts';
import { guessByUrl } from '../../../src/runtime/stream/detect-protocol.ts';
import { findProtocol } from '../../support/find-protocol.ts';
import { sse } from '../../support/play-body.ts';
import { begin, completed, events, failed, message, say } from './streams.ts';

const url = 'https://a.example/v1/responses';
const error = { type: 'error', error: { message: 'No credit' }, sequence_number: 0 };

describe('openai-responses, detection', () => {
  for (const { name, body } of [
    { name: 'its first event', body: sse(begin()) },
    { name: 'a queued response', body: sse({ ...begin(), type: 'response.queued' }) },
    { name: 'a leading error', body: sse(error, begin()) },
    { name: 'numbered events from the middle', body: events(say(0, 'x'), completed()) },
    { name: 'a failure', body: events(failed({ message: 'x' })) },
    { name: 'only the name in the event line', body: `event: response.created\n${sse({ response: { id: 'r' } })}` },
    { name: 'a complete response', body: JSON.stringify({ id: 'r', object: 'response', output: [message('x')] }) },
  ]) {
    it(name, async () => {
      expect(await findProtocol(body, protocols.list())).to.equal('openai-responses');
    });
  }

  for (const { name, frame } of [
    { name: 'the Realtime API', frame: { type: 'response.created', event_id: 'e', response: {} } },
    { name: 'AgentScope', frame: { object: 'response', status: 'created', output: [], sequence_number: 0 } },
    { name: 'an error', frame: error },
    { name: 'DeepChat', frame: { type: 'response', data: { eventId: 'e' } } },
    { name: 'chat completions', frame: { object: 'chat.completion.chunk', choices: [] } },
  ]) {
    it(`does not detect ${name}`, () => {
      const frames = [{ data: JSON.stringify(frame), json: frame }];
      const signs = {
        url: new URL('https://a.example/'),
        headers: new Headers(),
        framing: 'sse',
        ended: true,
      } as const;
      expect(detectors['openai-responses']?.({ ...signs, frames })).to.equal('no');
    });
  }

  it('is guessed by its address', async () => {
    expect(guessByUrl(new URL(url), protocols.list())?.id).to.equal('openai-responses');
    expect(guessByUrl(new URL('https://a.example/responses/7'), protocols.list())?.id).to.not.equal('openai-responses');
    expect(await findProtocol(sse(error), protocols.list(), url)).to.equal('openai-responses');
  });
});
