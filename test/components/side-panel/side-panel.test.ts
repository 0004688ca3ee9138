/** An artifact or the sources of an answer in the side panel. */
import { expect, waitUntil } from '@open-wc/testing';
import { named, wordsIn } from '../../renderers/support/show.ts';
import { find, has, inside, mount, type Mounted } from '../support/mount.ts';

const version = (content: string, title = 'Report') => ({
  role: 'assistant' as const,
  blocks: [
    {
      type: 'content' as const,
      content,
      artifact: { identifier: 'r', title, type: 'text/markdown' as const },
    },
  ],
});

async function showing(width: number): Promise<Mounted & { readonly row: HTMLButtonElement }> {
  const mounted = await mount();
  mounted.chat.style.width = `${String(width)}px`;
  mounted.chat.style.maxWidth = 'none';
  mounted.chat.messages = [version('# First'), { role: 'user', text: 'Again' }, version('# Second', 'Report, revised')];
  const row = await inside<HTMLButtonElement>(mounted.chat, 'agent-chat-artifact button.object');
  return { ...mounted, row };
}

const press = (element: Element, key: string): void => {
  element.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true, cancelable: true }));
};

describe('an artifact in the side panel', () => {
  it('is shown beside the conversation in a wide widget, takes the focus, and restores it', async () => {
    const { chat, row } = await showing(1000);
    row.focus();
    row.click();
    const side = await inside(chat, 'agent-chat-side');
    await waitUntil(() => chat.shadowRoot?.activeElement === side, 'it has the focus');
    await inside(chat, 'agent-chat-side h1');
    const list = find(chat, '[part="transcript"]').getBoundingClientRect();
    expect(list.right <= side.getBoundingClientRect().left + 1).to.equal(true);
    expect(find(chat, '[part="transcript"]').inert).to.equal(false);
    named(side, 'Close panel').focus();
    named(side, 'Close panel').click();
    expect(has(chat, 'agent-chat-side')).to.equal(false);
    expect(chat.shadowRoot?.activeElement).to.equal(row);
  });

  it('opens inline in a narrow widget, and over the conversation by its own button', async () => {
    const { chat, row } = await showing(600);
    row.click();
    await inside(chat, '[part="artifact"]');
    expect(has(chat, 'agent-chat-side')).to.equal(false);
    named(find(chat, '[part="artifact"]'), 'Open in panel').click();
    const side = await inside(chat, 'agent-chat-side');
    await inside(chat, 'agent-chat-side h1');
    expect(find(chat, '[part="transcript"]').inert).to.equal(true);
    expect(side.getBoundingClientRect().width).to.equal(find(chat, '.chat').getBoundingClientRect().width);
    press(side, 'Escape');
    expect(has(chat, 'agent-chat-side')).to.equal(false);
    expect(find(chat, '[part="transcript"]').inert).to.equal(false);
  });

  it('shows a diagram in its own height', async () => {
    const { chat } = await mount();
    chat.style.width = '1000px';
    chat.style.maxWidth = 'none';
    const artifact = { identifier: 'd', title: 'Way', type: 'application/vnd.ant.mermaid' } as const;
    chat.messages = [{ role: 'assistant', blocks: [{ type: 'content', content: 'graph TD; A-->B', artifact }] }];
    (await inside<HTMLButtonElement>(chat, 'agent-chat-artifact button.object')).click();
    const frame = await inside<HTMLIFrameElement>(chat, 'agent-chat-side agent-chat-diagram iframe');
    // The frame reports the height of its content, and the widget sets it as this attribute.
    frame.setAttribute('height', '560');
    expect(Math.round(frame.getBoundingClientRect().height)).to.equal(560);
  });

  it('changes its position with the width of the widget', async () => {
    const { chat, row } = await showing(1000);
    row.click();
    const side = await inside(chat, 'agent-chat-side');
    chat.style.width = '500px';
    await waitUntil(() => side.classList.contains('over') && find(chat, '[part="transcript"]').inert);
    chat.style.width = '1000px';
    await waitUntil(() => !side.classList.contains('over') && !find(chat, '[part="transcript"]').inert);
  });

  it('has all its versions, the last one first, and each new one', async () => {
    const { chat, row } = await showing(1000);
    row.click();
    const side = await inside(chat, 'agent-chat-side');
    await waitUntil(() => side.querySelector('h1')?.textContent === 'Second');
    expect(wordsIn(find(chat, 'agent-chat-side .branches'))).to.equal('2/2');
    named(side, 'Previous version').click();
    await waitUntil(() => side.querySelector('h1')?.textContent === 'First');
    expect(side.querySelector('.heading')?.textContent).to.equal('Report');
    named(side, 'Next version').click();
    await waitUntil(() => side.querySelector('h1')?.textContent === 'Second');
    chat.addMessage(version('# Third'));
    await waitUntil(() => side.querySelector('h1')?.textContent === 'Third');
  });

  it('gets nothing more once it is closed', async () => {
    const { chat, row } = await showing(1000);
    row.click();
    const side = (await inside(chat, 'agent-chat-side')) as HTMLElementTagNameMap['agent-chat-side'];
    const { messages } = side;
    side.close();
    chat.addMessage(version('# Third'));
    await chat.updateComplete;
    await waitUntil(() => chat.renderRoot.querySelector('agent-chat-message-list')?.messages.length === 4);
    expect(side.messages).to.deep.equal(messages);
  });

  it('closes with its conversation', async () => {
    const { chat, row } = await showing(1000);
    row.click();
    await inside(chat, 'agent-chat-side');
    chat.messages = [{ role: 'assistant', text: 'Hello.' }];
    await waitUntil(() => !has(chat, 'agent-chat-side'));
  });
});

describe('the sources of an answer', () => {
  it('are few below it; all of them open with a click, with their quotes', async () => {
    const { chat } = await mount();
    const citations = Array.from({ length: 6 }, (_, index) => ({
      id: String(index),
      title: `Title ${String(index)}`,
      quote: `Quote ${String(index)}`,
    }));
    chat.messages = [{ role: 'assistant', blocks: [{ type: 'content', content: 'So.', citations }] }];
    const list = await inside(chat, '[part="source-list"]');
    expect(list.querySelectorAll('li')).to.have.length(4);
    named(list, 'All sources').click();
    const all = await inside(chat, '.all-sources');
    expect([...all.querySelectorAll('blockquote')].map(wordsIn)).to.deep.equal(citations.map(({ quote }) => quote));
  });
});
