import { expect, waitUntil } from '@open-wc/testing';
// At once: how it comes is for the end-to-end tests.
import '../../src/components/make-inspector.ts';
import type { Recording } from '../../src/runtime/recording.ts';
import { replay } from '../../src/runtime/replay.ts';
import { bareMessage } from '../support/bare.ts';
import { copiedBy } from '../support/copied.ts';
import { savedBy } from '../support/saved.ts';
import { button, find, has, inside, mount, type Mounted } from './support/mount.ts';

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
  const found = rowsIn(chat, list).find((candidate) => candidate.querySelector('b')?.textContent === name);
  if (!found) throw new Error(`No row "${name}" among ${names(chat, list).join(', ')}.`);
  return found;
};
const press = (chat: Mounted['chat'], words: string): void => {
  const found = [...chat.renderRoot.querySelectorAll<HTMLButtonElement>('.inspector button')].find(
    (candidate) => candidate.textContent.trim() === words,
  );
  if (!found) throw new Error(`There is no button "${words}".`);
  found.click();
};

/** A widget with the inspector, and a whole reply in it. */
async function replied(settings: Parameters<typeof mount>[0] = {}): Promise<Mounted> {
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
  it('is there with `debug` alone, in a part of its own', async () => {
    const { chat } = await mount();
    expect(has(chat, '[part=inspector]')).to.equal(false);
    chat.debug = true;
    await inside(chat, '[part=inspector]');
    chat.debug = false;
    await chat.updateComplete;
    expect(has(chat, '[part=inspector]')).to.equal(false);
  });

  it('shows frames, events and blocks of a turn side by side, the unknown ones named so', async () => {
    const { chat } = await replied();
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

  it('marks what belongs to a frame, and to a block, and shows all of it', async () => {
    const { chat } = await replied();
    row(chat, 'frames', 'thinking').click();
    const code = await inside(chat, '.detail code');
    expect(code.textContent).to.include('"content": "Hm."');
    expect(marked(chat, 'events')).to.deep.equal(['reasoning_content']);
    expect(marked(chat, 'blocks')).to.deep.equal(['reasoning_content · success']);
    row(chat, 'blocks', 'content · success').click();
    await waitUntil(() => marked(chat, 'blocks')[0] === 'content · success');
    expect(marked(chat, 'frames')).to.include('content').and.not.to.include('thinking');
    expect(find(chat, '.facts').textContent).to.include('Together');
    button(chat, 'Close details').click();
    await waitUntil(() => !has(chat, '.detail'));
    expect(marked(chat, 'frames')).to.deep.equal([]);
  });

  it('filters all lists, and Escape in the field empties it', async () => {
    const { chat } = await replied();
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

  it('copies a list as it is shown, a line each', async () => {
    const { chat } = await replied();
    const [text = ''] = await copiedBy(() => {
      button(chat, 'Copy Blocks').click();
    });
    const lines = text.split('\n').map((line) => JSON.parse(line) as { readonly type: string; readonly t: number });
    expect(lines.map(({ type }) => type)).to.deep.equal(['reasoning_content', 'content']);
    expect(lines[0]?.t).to.be.a('number');
  });

  it('goes through a list by its arrow keys, with one stop for Tab', async () => {
    const { chat } = await replied();
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

  it('gives a recording that plays again to the same messages', async () => {
    const { chat } = await replied();
    const [file] = await savedBy(() => {
      press(chat, 'Download');
    });
    expect(file).to.include({ name: 'recording-agent-session.json', type: 'application/json' });
    const recording = JSON.parse(file?.text ?? '') as Recording;
    const { chat: other } = await mount(await replay(recording));
    await other.send('Where is my order?');
    expect(other.messages.map(bareMessage)).to.deep.equal(chat.messages.map(bareMessage));
  });

  it('keeps each turn apart, and shows the one that is chosen', async () => {
    const { chat, agent } = await replied();
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

  it('clears, folds, and fills again', async () => {
    const { chat, agent } = await replied();
    press(chat, 'Clear');
    await waitUntil(() => find(chat, '.inspector').textContent.includes('It fills with the next message.'));
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

  it('shows what an error says for developers, and no key', async () => {
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

  it('draws no more than a page of a long list, and the rest when it is asked for', async () => {
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
