import { expect } from '@open-wc/testing';
import type { Adapter } from '../../src/protocols/core/adapter.ts';
import { makeChat } from './support/make-chat.ts';
import { stream } from './support/scripted-server.ts';
import { END, says, wireAgent } from './support/wire-agent.ts';

const reply = stream(says({ content: 'Hi' }, END));

describe('the page’s settings that an adapter gets', () => {
  it('contain the page’s body fields, for protocols that need them elsewhere too', async () => {
    const named: Adapter = {
      ...wireAgent,
      request: ({ text }, { url, body }) => ({ url: `${url}/${String(body?.['user'])}`, init: { body: { text } } }),
    };
    const { chat, server } = makeChat([reply], { protocol: named, body: () => ({ user: 'u7' }) });
    await chat.send('Hello');
    expect(server.asked.map(({ url, body }) => [url.replace(location.origin, ''), body])).to.deep.equal([
      ['/agent/u7', { text: 'Hello', user: 'u7' }],
    ]);
  });

  it('contain no body for a GET', async () => {
    const reading: Adapter = { ...wireAgent, request: (_turn, { url }) => ({ url, init: { method: 'GET' } }) };
    const { chat, server } = makeChat([reply], { protocol: reading, body: { user: 'u7' } });
    const message = await chat.send('Hello');
    expect(server.asked.map(({ init }) => [init.method, init.body])).to.deep.equal([['GET', undefined]]);
    expect(message.status).to.equal('complete');
  });

  it('contain the endpoint, for the decoder', async () => {
    const told: (string | undefined)[] = [];
    const placed: Adapter = {
      ...wireAgent,
      decode(batches, context) {
        told.push(context.url);
        return wireAgent.decode(batches, context);
      },
    };
    const { chat } = makeChat([reply], { protocol: placed });
    await chat.send('Hello');
    expect(told).to.deep.equal([`${location.origin}/agent`]);
  });
});
