import { expect, waitUntil } from '@open-wc/testing';
import type { AgentChatBlockedEvent } from '../../../src/components/shared/events.ts';
import type { Adapter } from '../../../src/protocols/core/adapter.ts';
import { reportOnce, type Blocked } from '../../../src/safety/blocked.ts';
import { wireAgent } from '../../runtime/support/wire-agent.ts';
import { inside, mount } from '../support/mount.ts';

const ELSEWHERE = 'https://elsewhere.example';

async function listening(settings: Parameters<typeof mount>[0] = {}) {
  const mounted = await mount(settings);
  const emitted: AgentChatBlockedEvent['detail'][] = [];
  mounted.chat.addEventListener('agent-chat-blocked', ({ detail }) => emitted.push(detail));
  return { ...mounted, emitted };
}

describe('agent-chat-blocked', () => {
  it('is emitted once for an image that waits, however often it is rendered', async () => {
    const { chat, emitted } = await listening();
    const text = `![a](${ELSEWHERE}/a.png) ![a](${ELSEWHERE}/a.png)`;
    chat.messages = [{ role: 'assistant', text }];
    await inside(chat, '.blocked');
    chat.messages = [{ role: 'assistant', text: `${text} and more` }];
    chat.density = 'compact';
    await chat.updateComplete;
    await waitUntil(() => emitted.length > 0);
    expect(emitted).to.deep.equal([{ sink: 'image', url: `${ELSEWHERE}/a.png`, reason: 'host' }]);
  });

  it('is not emitted for allowed images', async () => {
    const { chat, emitted } = await listening({ imageHosts: 'self' });
    chat.messages = [{ role: 'assistant', text: `![a](/none.png) ![b](${ELSEWHERE}/b.png)` }];
    await waitUntil(() => emitted.length > 0);
    expect(emitted.map(({ url }) => url)).to.deep.equal([`${ELSEWHERE}/b.png`]);
  });

  it('reports a blocked image, and audio of another host', async () => {
    const { chat, emitted } = await listening();
    chat.messages = [
      {
        role: 'assistant',
        blocks: [
          { type: 'content', content: '![x](data:image/svg+xml,<svg/>)' },
          { type: 'audio', url: `${ELSEWHERE}/a.mp3` },
        ],
      },
    ];
    await waitUntil(() => emitted.length >= 2);
    expect(emitted.map(({ sink, url }) => [sink, url])).to.deep.include(['audio', `${ELSEWHERE}/a.mp3`]);
    // Data has no address, and is not repeated.
    expect(emitted.find(({ sink }) => sink === 'image')).to.deep.equal({ sink: 'image', reason: 'type' });
  });

  it('reports recordings of a stream that were refused when they arrived', async () => {
    const { chat, emitted } = await listening();
    chat.messages = [
      {
        role: 'assistant',
        blocks: [
          { type: 'audio', mimeType: 'audio/x', extra: { reason: 'type' } },
          { type: 'video', url: `${ELSEWHERE}/v.mp4`, extra: { reason: 'size' } },
        ],
      },
    ];
    await waitUntil(() => emitted.length >= 2);
    expect(emitted).to.deep.equal([
      { sink: 'audio', reason: 'type' },
      { sink: 'video', url: `${ELSEWHERE}/v.mp4`, reason: 'size' },
    ]);
  });

  it('reports an image that has too many pixels once it is decoded', async () => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 20, height: 20 });
    const data = canvas.toDataURL('image/jpeg').split(',')[1] ?? '';
    const { chat, emitted } = await listening({ limits: { imagePixels: 100 } });
    chat.messages = [{ role: 'assistant', blocks: [{ type: 'image', image_data: { data, mimeType: 'image/jpeg' } }] }];
    await inside(chat, '.blocked');
    await waitUntil(() => emitted.length > 0);
    expect(emitted).to.deep.equal([{ sink: 'image', reason: 'pixels' }]);
  });

  it('ends with the thousandth report, which says so', async () => {
    const blocked: Blocked[] = [];
    const report = reportOnce((one) => blocked.push(one));
    for (let index = 0; index < 1005; index++)
      report({ sink: 'image', url: `${ELSEWHERE}/${String(index)}.png`, reason: 'host' });
    await Promise.resolve();
    expect(blocked.map(({ last }) => last)).to.deep.equal([...Array.from({ length: 999 }, () => undefined), true]);
  });

  it('masks text that looks like a key', async () => {
    const { chat, emitted } = await listening();
    chat.messages = [{ role: 'assistant', text: `![a](${ELSEWHERE}/a.png?key=sk-abcdefghijklmnop1234)` }];
    await waitUntil(() => emitted.length > 0);
    expect(emitted[0]?.url).to.equal(`${ELSEWHERE}/a.png?key=***`);
  });

  it('reports a request that is sent without the page’s headers', async () => {
    const elsewhere: Adapter = { ...wireAgent, request: () => ({ url: `${ELSEWHERE}/run`, init: { body: {} } }) };
    const { chat, emitted } = await listening({
      protocol: elsewhere,
      fetch: () => Promise.resolve(new Response('{}')),
    });
    await chat.send('Hi');
    expect(emitted).to.deep.include({ sink: 'request', url: `${ELSEWHERE}/run`, reason: 'foreign-server' });
  });
});
