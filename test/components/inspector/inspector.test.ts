import { expect, waitUntil } from '@open-wc/testing';
// Loaded immediately. Lazy loading is tested end to end.
import '../../../src/components/inspector/create-inspector.ts';
import type { Recording } from '../../../src/runtime/trace/recording.ts';
import { replay } from '../../../src/runtime/trace/replay.ts';
import { bareMessage } from '../../support/bare.ts';
import { copiedBy } from '../../support/copied.ts';
import { savedBy } from '../../support/saved.ts';
import { button, find, has, inside, mount, type Mounted } from '../support/mount.ts';

type List = 'frames' | 'events' | 'blocks';

const rowsIn = (chat: Mounted['chat'], list: List): readonly HTMLButtonElement[] => [
  ...chat.renderRoot.querySelectorAll<HTMLButtonElement>(`[data-list=${list}] .row`),
];
const names = (chat: Mounted['chat'], list: List): readonly string[] =>
  rowsIn(chat, list).map((row) => row.querySelector('b')?.textContent ?? '');
const marked = (chat: Mounted['chat'], list: List): readonly string[] =>
  rowsIn(chat, list)
    .filter((row) => row.hasAttribute('aria-current'))
    .map((row) => row.querySelector('b')?.textContent ?? '');
const row = (chat: Mounted['chat'], list: List, name: string): HTMLButtonElement => {
  const match = rowsIn(chat, list).find((candidate) => candidate.querySelector('b')?.textContent === name);
  if (!match) throw new Error(`No row "${name}" among ${names(chat, list).join(', ')}.`);
  return match;
};
const press = (chat: Mounted['chat'], words: string): void => {
  const match = [...chat.renderRoot.querySelectorAll<HTMLButtonElement>('.inspector button')].find(
    (candidate) => candidate.textContent.trim() === words,
  );
  if (!match) throw new Error(`There is no button "${words}".`);
  match.click();
};

/** A widget with the inspector and a complete reply. */
async function mountWithReply(settings: Parameters<typeof mount>[0] = {}): Promise<Mounted> {
  const mounted = await mount({ debug: true, ...settings });
  const { chat, agent } = mounted;
  const reply = chat.send('Where is my order?');
  await agent.heard(1);
  agent.say({ type: 'thinking', data: { content: 'Hm.' } });
  agent.say({ type: 'brand_new', data: {} });
  agent.end('On its way.');
  await reply;
  await waitUntil(
    () => has(chat, '[data-list=frames] .row') && names(chat, 'frames').includes('session_end'),
    'it is drawn',
  );
  return mounted;
}

describe('the inspector', () => {
  it('is shown only with `debug`, in its own part', async () => {
    const { chat } = await mount();
    expect(has(chat, '[part=inspector]')).to.equal(false);
    chat.debug = true;
    await inside(chat, '[part=inspector]');
    chat.debug = false;
    await chat.updateComplete;
    expect(has(chat, '[part=inspector]')).to.equal(false);
  });

  it('shows frames, events and blocks of a turn side by side, and labels unknown ones', async () => {
    const { chat } = await mountWithReply();
    expect(names(chat, 'frames')).to.deep.equal([
      'POST',
      '200',
      'thinking',
      'brand_new · unknown',
      'content',
      'session_end',
    ]);
    expect(names(chat, 'events').slice(0, 2)).to.deep.equal(['reasoning_content', 'content']);
    expect(names(chat, 'blocks')).to.deep.equal(['reasoning_content · success', 'content · success']);
    const times = rowsIn(chat, 'frames').map((line) => line.querySelector('.ms')?.textContent ?? '');
    expect(times.every((time) => /^\+?[\d,]+$/.test(time))).to.equal(true);
  });

  it('highlights what belongs to a frame or a block, and shows its full content', async () => {
    const { chat } = await mountWithReply();
    row(chat, 'frames', 'thinking').click();
    const code = await inside(chat, '.detail code');
    expect(code.textContent).to.include('"content": "Hm."');
    expect(marked(chat, 'events')).to.deep.equal(['reasoning_content']);
    expect(marked(chat, 'blocks')).to.deep.equal(['reasoning_content · success']);
    row(chat, 'blocks', 'content · success').click();
    await waitUntil(() => marked(chat, 'blocks')[0] === 'content · success');
    expect(marked(chat, 'frames')).to.include('content').and.not.to.include('thinking');
    expect(find(chat, '.turn-summary').textContent).to.include('Related');
    button(chat, 'Close details').click();
    await waitUntil(() => !has(chat, '.detail'));
    expect(marked(chat, 'frames')).to.deep.equal([]);
  });

  it('filters all lists, and Escape clears the filter', async () => {
    const { chat } = await mountWithReply();
    const field = find<HTMLInputElement>(chat, '.inspector input');
    field.value = 'on its';
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    await waitUntil(() => names(chat, 'frames').length === 1);
    expect([names(chat, 'frames'), names(chat, 'events'), names(chat, 'blocks')]).to.deep.equal([
      ['content'],
      ['content'],
      ['content · success'],
    ]);
    field.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true, composed: true }),
    );
    await waitUntil(() => names(chat, 'frames').length === 6);
  });

  it('copies a list as it is shown, one entry a line', async () => {
    const { chat } = await mountWithReply();
    const [text = ''] = await copiedBy(() => {
      button(chat, 'Copy Blocks').click();
    });
    const lines = text.split('\n').map((line) => JSON.parse(line) as { readonly type: string; readonly t: number });
    expect(lines.map(({ type }) => type)).to.deep.equal(['reasoning_content', 'content']);
    expect(lines[0]?.t).to.be.a('number');
  });

  it('navigates a list with the arrow keys, with one Tab stop', async () => {
    const { chat } = await mountWithReply();
    const stops = (): number => rowsIn(chat, 'frames').filter(({ tabIndex }) => tabIndex === 0).length;
    expect(stops()).to.equal(1);
    const key = (name: string): void => {
      chat.shadowRoot?.activeElement?.dispatchEvent(
        new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true }),
      );
    };
    const focused = (): string => chat.shadowRoot?.activeElement?.querySelector('b')?.textContent ?? '';
    row(chat, 'frames', 'session_end').focus();
    key('ArrowUp');
    expect(focused()).to.equal('content');
    key('Home');
    expect(focused()).to.equal('POST');
    key('ArrowUp');
    expect(focused()).to.equal('POST');
    await waitUntil(() => rowsIn(chat, 'frames')[0]?.tabIndex === 0);
    expect(stops()).to.equal(1);
  });

  it('downloads a recording that replays to the same messages', async () => {
    const { chat } = await mountWithReply();
    const [file] = await savedBy(() => {
      press(chat, 'Download');
    });
    expect(file).to.include({ name: 'recording-agent-session.json', type: 'application/json' });
    const recording = JSON.parse(file?.text ?? '') as Recording;
    const { chat: other } = await mount(await replay(recording));
    await other.send('Where is my order?');
    expect(other.messages.map(bareMessage)).to.deep.equal(chat.messages.map(bareMessage));
  });

  it('keeps turns separate, and shows the chosen one', async () => {
    const { chat, agent } = await mountWithReply();
    const second = chat.send('And now?');
    await agent.heard(2);
    agent.end('Delivered.');
    await second;
    const choice = await inside<HTMLSelectElement>(chat, '.inspector select');
    await waitUntil(() => choice.options.length === 2);
    expect([...choice.options].map(({ text }) => text)).to.deep.equal(['1 · Where is my order?', '2 · And now?']);
    await waitUntil(() => names(chat, 'blocks').join() === 'content · success');
    choice.selectedIndex = 0;
    choice.dispatchEvent(new Event('change'));
    await waitUntil(() => names(chat, 'blocks').length === 2);
  });

  it('clears, collapses, and fills again', async () => {
    const { chat, agent } = await mountWithReply();
    press(chat, 'Clear');
    await waitUntil(() => find(chat, '.inspector').textContent.includes('Send a message to see its events.'));
    press(chat, 'Stream inspector');
    await waitUntil(() => !has(chat, '.inspector .nothing'));
    expect(find(chat, '.inspector .title').getAttribute('aria-expanded')).to.equal('false');
    press(chat, 'Stream inspector');
    const reply = chat.send('And now?');
    await agent.heard(2);
    agent.end('Delivered.');
    await reply;
    await waitUntil(() => names(chat, 'frames').includes('content'));
  });

  it('shows the developer message of an error, without keys', async () => {
    const { chat, agent } = await mount({ debug: true, headers: { authorization: 'Bearer a-token-of-the-page' } });
    const reply = chat.send('Hi');
    await agent.heard(1);
    const details = { trace: 'line 7', sent: 'a-token-of-the-page' };
    agent.say({ type: 'error', data: { error_type: 'system', message: 'Broken', details, recoverable: false } });
    agent.hangUp();
    await reply;
    await waitUntil(() => names(chat, 'events').includes('error'));
    row(chat, 'events', 'error').click();
    const code = await inside(chat, '.detail code');
    expect(code.textContent).to.include('line 7');
    expect(find(chat, '.inspector').textContent).not.to.include('a-token-of-the-page');
  });

  it('renders one page of a long list, and the rest on request', async () => {
    const { chat, agent } = await mount({ debug: true });
    const reply = chat.send('Hi');
    await agent.heard(1);
    for (let count = 0; count < 250; count++) agent.write('x');
    agent.end();
    await reply;
    await waitUntil(() => names(chat, 'frames').includes('session_end'));
    expect(rowsIn(chat, 'frames')).to.have.length(200);
    press(chat, 'Show 53 earlier');
    await waitUntil(() => rowsIn(chat, 'frames').length === 253);
  });
});
