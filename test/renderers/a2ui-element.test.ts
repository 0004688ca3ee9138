import { expect, waitUntil } from '@open-wc/testing';
import type { AgentChat } from '../../src/define.ts';
import { has, next } from '../components/support/mount.ts';
import { HOSTILE, named, showBlock, update, wordsIn } from './support/show.ts';
import { booking, column, components, create, data, remove, surface, text } from './support/surfaces.ts';

const show = (messages: readonly unknown[], settings: Partial<AgentChat> = {}, message = {}) =>
  showBlock(
    { type: 'ui', id: 'u', ui: { kind: 'a2ui', messages } },
    { settings, message, selector: 'agent-chat-surface .surface' },
  );

/** A control by its label. */
function control<Kind extends Element = HTMLInputElement>(element: Element, name: string): Kind {
  const label = [...element.querySelectorAll('label')].find((candidate) => wordsIn(candidate) === name);
  const found = label?.control ?? label?.querySelector('input');
  if (!found) throw new Error(`No control is called "${name}".`);
  return found as Element as Kind;
}

function enter(input: HTMLInputElement | HTMLTextAreaElement, value: string): void {
  input.value = value;
  input.dispatchEvent(new InputEvent('input', { bubbles: true }));
}

const submit = (element: Element): HTMLButtonElement => named<HTMLButtonElement>(element, 'Book the table');

describe('a surface of A2UI', () => {
  it('stands in a frame that says whose it is', async () => {
    const { element } = await show(surface(text('root', 'Hi')), {}, { name: 'Concierge' });
    expect([element.getAttribute('role'), element.getAttribute('aria-label')]).to.deep.equal([
      'group',
      'From Concierge',
    ]);
    expect(wordsIn(element)).to.equal('From Concierge Hi');
  });

  it('has inputs with names and the values of its data', async () => {
    const { element } = await show(booking);
    expect(control(element, 'Name').value).to.equal('');
    expect([control(element, 'When').type, control(element, 'When').value]).to.deep.equal(['date', '2026-08-01']);
    expect([control(element, 'Guests').min, control(element, 'Guests').value]).to.deep.equal(['1', '2']);
    expect([control(element, 'Window').type, control(element, 'Window').checked]).to.deep.equal(['radio', true]);
    expect(control(element, 'Send me news').checked).to.equal(false);
    expect(wordsIn(element.querySelector('legend') ?? element)).to.equal('Seat');
  });

  it('what is entered stays here until a button is pressed, and then goes with it', async () => {
    const { chat, element } = await show(booking);
    const told: unknown[] = [];
    chat.addEventListener('agent-chat-action', (event) => {
      event.preventDefault();
      told.push([event.detail.action, event.detail.payload, event.detail.block?.type]);
    });
    enter(control(element, 'Name'), 'Mara');
    enter(control(element, 'Guests'), '5');
    control(element, 'Garden').click();
    await waitUntil(() => !submit(element).disabled);
    expect(told).to.deep.equal([]);
    submit(element).click();
    expect(told).to.deep.equal([
      [
        'ui-action',
        {
          surfaceId: 'booking',
          name: 'book',
          context: { name: 'Mara', guests: 5, seat: ['g'] },
          sourceComponentId: 'send',
          text: 'Book the table\nname: Mara\nguests: 5\nseat: ["g"]',
        },
        'ui',
      ],
    ]);
  });

  it('not prevented, a press goes out as the next turn, in words', async () => {
    const { chat, element } = await show(booking);
    enter(control(element, 'Name'), 'Mara');
    await waitUntil(() => !submit(element).disabled);
    const sent = next(chat, 'agent-chat-send');
    submit(element).click();
    const { message } = (await sent).detail;
    expect(message.blocks[0]?.content).to.equal('Book the table\nname: Mara\nguests: 2\nseat: ["w"]');
    expect(message.metadata?.['data']).to.deep.equal({
      surfaceId: 'booking',
      name: 'book',
      context: { name: 'Mara', guests: 2, seat: ['w'] },
      sourceComponentId: 'send',
    });
  });

  it('a check that fails keeps its button shut, and is said of what was touched', async () => {
    const { element } = await show(booking);
    const name = control(element, 'Name');
    expect(submit(element).disabled).to.equal(true);
    expect(name.getAttribute('aria-invalid')).to.equal(null);
    enter(name, 'M');
    await waitUntil(() => !submit(element).disabled);
    enter(name, '');
    await waitUntil(() => name.getAttribute('aria-invalid') === 'true');
    const note = element.querySelector(`[id="${name.getAttribute('aria-describedby') ?? ''}"]`);
    expect(note && wordsIn(note)).to.equal('A name is needed.');
  });

  it('an update keeps what was entered, and the place in it', async () => {
    const { chat, element } = await show(booking);
    const name = control(element, 'Name');
    name.focus();
    enter(name, 'Mara');
    update(chat, [
      { type: 'ui', id: 'u', ui: { kind: 'a2ui', messages: [...booking, data('/title', 'Grill II', 'booking')] } },
    ]);
    await waitUntil(() => wordsIn(element).includes('Grill II'));
    expect(control(element, 'Name')).to.equal(name);
    expect(name.value).to.equal('Mara');
    expect(name.matches(':focus')).to.equal(true);
  });

  it('an input that is bound to nothing keeps what was entered', async () => {
    const { element } = await show(
      surface(
        column('a', 'b'),
        { id: 'a', component: 'CheckBox', label: 'A', value: true },
        { id: 'b', component: 'TextField', label: 'B' },
      ),
    );
    control(element, 'A').click();
    enter(control(element, 'B'), 'x');
    await waitUntil(() => control(element, 'B').value === 'x');
    expect(control(element, 'A').checked).to.equal(false);
  });

  it('all of the data goes along where the agent wants it', async () => {
    const { chat, element } = await show([
      create('s', { sendDataModel: true, dataModel: { a: 1 } }),
      components([{ id: 'root', component: 'Button', child: 'l', action: { event: { name: 'go' } } }, text('l', 'Go')]),
    ]);
    const told = next(chat, 'agent-chat-action');
    named(element, 'Go').click();
    expect((await told).detail.payload).to.deep.include({ dataModel: { a: 1 }, text: 'Go' });
  });

  it('shows one tab at a time', async () => {
    const { element } = await show(
      surface(
        {
          component: 'Tabs',
          tabs: [
            { title: 'One', child: 'a' },
            { title: 'Two', child: 'b' },
          ],
        },
        text('a', 'First'),
        text('b', 'Second'),
      ),
    );
    expect(wordsIn(element)).to.contain('First').and.not.to.contain('Second');
    named(element, 'Two').click();
    await waitUntil(() => wordsIn(element).includes('Second'));
    expect(named(element, 'Two').getAttribute('aria-pressed')).to.equal('true');
  });

  it('a dialog opens in its place, not over the chat', async () => {
    const { chat, element } = await show(
      surface(
        { component: 'Modal', trigger: 't', content: 'c' },
        { id: 't', component: 'Button', child: 'l', action: { event: { name: 'x' } } },
        text('l', 'More'),
        text('c', 'Content'),
      ),
    );
    element.querySelector('summary')?.click();
    await waitUntil(() => element.querySelector('details')?.open);
    expect(has(chat, 'dialog[open]')).to.equal(false);
  });

  it('an icon is drawn; one without a drawing is its name', async () => {
    const { element } = await show(
      surface(
        column('a', 'b', 'c'),
        { id: 'a', component: 'Icon', name: 'mail' },
        { id: 'b', component: 'Icon', name: 'constructor' },
        { id: 'c', component: 'Icon', name: 'star', accessibility: { label: 'Four stars' } },
      ),
    );
    expect(element.querySelectorAll('svg').length).to.equal(2);
    expect(wordsIn(element)).to.equal('From Assistant constructor');
    expect(named(element, 'Four stars').getAttribute('role')).to.equal('img');
  });

  it('what is not known says its name, and all that it holds', async () => {
    const { element } = await show(surface({ component: `<b>${HOSTILE}`, depth: 3, child: 'a' }, text('a', 'Inside')));
    expect(wordsIn(element))
      .to.contain(`<b>${HOSTILE} can’t be shown here`)
      .and.contain('depth: 3')
      .and.contain('Inside');
  });

  it('taken back, one line says so', async () => {
    const { element } = await show([...surface(text('root', 'Hi')), remove()]);
    expect(wordsIn(element)).to.equal('From Assistant The agent has closed this.');
  });

  it('without its topmost part it is the data that came', async () => {
    const { element } = await show([create(), components([text('a', 'Hi')])]);
    expect(wordsIn(element)).to.contain('updateComponents');
  });

  it('in another language its numbers and words are of that language', async () => {
    const { element } = await show(
      surface(text('root', { call: 'formatNumber', args: { value: 1234.5, decimals: 1 } })),
      { locale: 'zh-CN' },
    );
    await waitUntil(() => wordsIn(element).startsWith('来自'));
    expect(wordsIn(element)).to.contain('1,234.5');
  });
});

describe('a hostile surface', () => {
  it('hostile words are text wherever they stand', async () => {
    const { chat, element } = await show(
      surface(
        column('a', 'b', 'c', 'd', 'e', 'f'),
        text('a', `# ${HOSTILE}`, 'h1'),
        text('b', `${HOSTILE}<script>hit()</script>`),
        { id: 'c', component: 'Button', child: 'a', action: { event: { name: 'x' } } },
        { id: 'd', component: 'TextField', label: HOSTILE, value: HOSTILE, placeholder: HOSTILE },
        { id: 'e', component: 'ChoicePicker', label: HOSTILE, value: [], options: [{ label: HOSTILE, value: 'x' }] },
        { id: 'f', component: 'Icon', name: HOSTILE },
      ),
    );
    expect(has(chat, 'agent-chat-surface :is(img, script, [onerror])')).to.equal(false);
    expect(element.querySelector('.ui-text')?.textContent).to.equal(HOSTILE);
    expect((globalThis as { hit?: unknown }).hit).to.equal(undefined);
  });

  for (const url of [
    'javascript:hit()',
    'JAVASCRIPT:hit()',
    'data:text/html,x',
    'vbscript:x',
    '/relative',
    'app://x',
    '',
  ]) {
    it(`“${url}” is no link`, async () => {
      const { element } = await show(
        surface(
          { component: 'Button', child: 'l', action: { functionCall: { call: 'openUrl', args: { url } } } },
          text('l', `Open [it](${url})`),
        ),
      );
      expect(element.querySelector('a')).to.equal(null);
      expect(element.querySelector('button')?.disabled).to.equal(true);
    });
  }

  it('a link goes the way of all links, and says its host when its words say another', async () => {
    const { element } = await show(
      surface(
        {
          component: 'Button',
          child: 'l',
          action: { functionCall: { call: 'openUrl', args: { url: 'https://evil.example/x' } } },
        },
        text('l', 'www.bank.example'),
      ),
    );
    const link = element.querySelector('a');
    expect([link?.href, link?.target, link?.rel]).to.deep.equal([
      'https://evil.example/x',
      '_blank',
      'noopener noreferrer nofollow',
    ]);
    expect(wordsIn(element)).to.contain('(evil.example)');
  });

  it('pictures wait for the reader, those in words too; what is no picture is refused', async () => {
    const { element } = await show(
      surface(
        column('a', 'b', 'c', 'd'),
        { id: 'a', component: 'Image', url: 'https://evil.example/a.png', description: 'A' },
        { id: 'b', component: 'Image', url: 'javascript:hit()', variant: 'icon' },
        { id: 'c', component: 'Image', url: 'data:image/svg+xml,<svg/>' },
        text('d', '![x](https://evil.example/b.png)'),
      ),
    );
    await waitUntil(() => element.querySelectorAll('agent-chat-image .blocked').length === 4);
    expect(element.querySelector('img')).to.equal(null);
    expect(wordsIn(element)).to.contain('Image from evil.example');
  });

  it('films and sounds wait as well', async () => {
    const { element } = await show(
      surface(
        column('a', 'b'),
        { id: 'a', component: 'Video', url: 'https://evil.example/a.mp4' },
        { id: 'b', component: 'AudioPlayer', url: 'https://evil.example/a.mp3' },
      ),
    );
    await waitUntil(() => element.querySelectorAll('agent-chat-player button').length === 2);
    expect(element.querySelector('video, audio')).to.equal(null);
  });

  it('a secret is not asked for', async () => {
    const { element } = await show(
      surface({ component: 'TextField', label: 'Password', variant: 'obscured', value: { path: '/p' } }),
    );
    expect(element.querySelector('input')).to.equal(null);
    expect(wordsIn(element)).to.contain('Password').and.contain('does not pass secrets on');
  });

  it('nothing of it becomes a style, a class, an address to send to', async () => {
    const bad = 'x" onclick="hit()" style="position:fixed';
    const { element } = await show([
      create('s', { theme: { primaryColor: 'red' }, styles: { font: 'x' } }),
      components([
        {
          id: 'root',
          component: 'Row',
          children: [bad],
          justify: bad,
          align: bad,
          weight: 1e9,
          style: 'position:fixed',
          class: 'ask',
        },
        { id: bad, component: 'TextField', label: 'L', variant: bad, formaction: 'https://evil.example' },
      ]),
    ]);
    expect(element.querySelector('[style], [onclick], form, [formaction], .ask')).to.equal(null);
    expect(control(element, 'L').type).to.equal('text');
  });

  it('ten thousand parts are shown as far as it goes, and it is said', async () => {
    const ids = Array.from({ length: 10_000 }, (_, index) => `c${String(index)}`);
    const { element } = await show(surface(column(...ids), ...ids.map((id) => text(id, id, 'caption'))));
    expect(element.querySelectorAll('.ui-text').length).to.be.within(100, 500);
    expect(wordsIn(element)).to.contain('There is more than can be shown here.');
  });
});
