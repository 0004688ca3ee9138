import { expect } from '@open-wc/testing';
import { painted, passTime } from '../../support/pass-time.ts';
import { named } from '../support/show.ts';
import { click, keyDown, keyUp, pointerDown, pointerUp, showSurface } from '../support/show-surface.ts';
import { column, components, create, text } from '../support/surfaces.ts';

/** Longer than a user needs to read a change, and than a text has to stay the same to count as steady (ms). */
const [READ, STEADY] = [600, 2100];

interface Question {
  readonly words?: string;
  readonly label?: string;
  readonly event?: string;
  readonly id?: string;
  /** Other properties of the components, by their ids. */
  readonly more?: Readonly<Record<string, object>>;
}
/** A sentence and a button. */
const question = ({ words = 'Show the weather?', label = 'OK', event = 'ok', id = 's', more = {} }: Question = {}) => [
  create(id),
  components(
    [
      { id: 'root', ...column('words', 'row') },
      text('words', words, 'caption'),
      { id: 'row', component: 'Row', children: ['icon', 'image', 'ok'] },
      { id: 'icon', component: 'Divider', axis: 'vertical' },
      { id: 'image', component: 'Image', url: 'https://host.example/a.png', variant: 'icon' },
      text('label', label),
      { id: 'ok', component: 'Button', child: 'label', action: { event: { name: event } } },
    ].map((component) => ({ ...component, ...more[component.id] })),
    id,
  ),
];

/** The button of the last question: another one loads its image. */
const buttonIn = (host: Element): HTMLButtonElement => [...host.querySelectorAll('button')].at(-1)!;

describe('rule 103: a press of a surface’s button', () => {
  for (const [device, detail] of [
    ['pointer', 1],
    ['keyboard', 0],
  ] as const) {
    const moves: readonly { readonly name: string; readonly after: readonly object[]; readonly steady?: number }[] = [
      { name: 'another surface is in its place', after: question({ id: 't', words: 'Pay?', event: 'pay' }) },
      { name: 'a surface is before it', after: [...question({ id: 't', event: 'pay' }), ...question()] },
    ];
    for (const { name, after, steady = READ } of [
      ...(device === 'pointer' ? moves : []),
      { name: 'its label has changed', after: question({ label: 'Pay 999', event: 'pay' }) },
      { name: 'its action has changed', after: question({ event: 'pay' }) },
      { name: 'a sentence before it has changed', after: question({ words: 'Send 900 euros?' }), steady: STEADY },
    ])
      it(`is not taken when ${name} just before it, with the ${device}`, async () => {
        const { host, sent, change } = await showSurface(question());
        await passTime(steady);
        buttonIn(host).focus();
        await change(after);
        click(buttonIn(host), detail);
        expect(sent).to.deep.equal([]);
        await passTime(READ);
        click(buttonIn(host), detail);
        expect(sent).to.have.length(1);
      });
  }

  for (const [device, begin, end] of [
    ['pointer', pointerDown, pointerUp],
    ['keyboard', keyDown, keyUp],
  ] as const)
    for (const [order, held] of [
      ['before', READ],
      ['before', 4000],
      ['before', 7000],
      ['just after', READ],
    ] as const)
      it(`is not taken when it began ${order} a change of what it sends, and ended ${String(held)} ms later, with the ${device}`, async () => {
        const ask = (amount: number) =>
          question({ more: { ok: { action: { event: { name: 'pay', context: { amount } } } } } });
        const { host, sent, change } = await showSurface(ask(10));
        await passTime(STEADY);
        const button = buttonIn(host);
        if (order === 'before') begin(button);
        await change(ask(900));
        if (order !== 'before') begin(button);
        for (let count = 0; count < 4; count += 1) await passTime(held / 4);
        end(button);
        expect(sent).to.deep.equal([]);
        await painted();
        begin(button);
        end(button);
        expect(sent).to.have.length(1);
      });

  it('is not taken when it began before the first state that is remembered', async () => {
    const ask = (amount: number, words: string) =>
      question({ words, more: { ok: { action: { event: { name: 'pay', context: { amount } } } } } });
    const { host, sent, change } = await showSurface(ask(10, ''));
    await passTime(READ);
    pointerDown(buttonIn(host));
    for (let count = 0; count < 8; count += 1) {
      await change(ask(900, `${String(count)} seconds`));
      await passTime(1000);
    }
    pointerUp(buttonIn(host));
    expect(sent).to.deep.equal([]);
  });

  it('is not taken when a sentence had been visible for long, and changes while the page is busy', async () => {
    const { host, sent, change } = await showSurface(question());
    await passTime(STEADY - 400);
    await change(question({ words: 'Send 900 euros?' }));
    // No frame comes before the end of the press.
    const busy = performance.now() + READ;
    while (performance.now() < busy);
    click(buttonIn(host), 1);
    expect(sent).to.deep.equal([]);
  });

  it('is not taken when the surface has just appeared, with the pointer', async () => {
    const { host, sent } = await showSurface(question());
    click(named(host, 'OK'), 1);
    expect(sent).to.deep.equal([]);
    await passTime(READ);
    click(named(host, 'OK'), 1);
    expect(sent).to.have.length(1);
  });

  it('is taken when the surface has just appeared, with the keyboard: the user has moved the focus there', async () => {
    const { host, sent } = await showSurface(question());
    click(named(host, 'OK'), 0);
    expect(sent).to.have.length(1);
  });

  for (const [name, more] of [
    ['the style of a text', { words: { variant: 'h1' } }],
    ['the size of an image', { image: { variant: 'header' } }],
    ['how an image fits', { image: { variant: 'icon', fit: 'cover' } }],
    ['the distribution of a row', { row: { justify: 'end' } }],
    ['the alignment of a row', { row: { align: 'end' } }],
    ['the share of a part', { image: { weight: 3 } }],
    ['the direction of a line', { icon: { axis: 'horizontal' } }],
    ['the style of a button', { ok: { variant: 'borderless' } }],
    ['the kind of a container', { row: { component: 'Column' } }],
  ] as const)
    it(`is not taken when ${name} has just changed, which may move another button there`, async () => {
      const { host, sent, change } = await showSurface(question());
      await passTime(STEADY);
      await change(question({ more }));
      click(named(host, 'OK'), 1);
      expect(sent).to.deep.equal([]);
      await passTime(READ);
      click(named(host, 'OK'), 1);
      expect(sent).to.have.length(1);
    });

  for (const [name, messages] of [
    ['has moved it', [...question({ id: 't', words: 'Longer and longer' }), ...question()]],
    [
      'names its tool in the heading',
      [create('t', { theme: { agentDisplayName: 'Booking' } }), ...question({ id: 't' }).slice(1), ...question()],
    ],
    ['before it has gone', [create('t'), { version: 'v0.9', deleteSurface: { surfaceId: 't' } }, ...question()]],
  ] as const)
    it(`is not taken when another surface ${name}`, async () => {
      const { host, sent, change } = await showSurface([...question({ id: 't' }), ...question()]);
      await passTime(STEADY);
      await change(messages);
      click(buttonIn(host), 1);
      expect(sent).to.deep.equal([]);
      await passTime(READ);
      click(buttonIn(host), 1);
      expect(sent).to.have.length(1);
    });

  it('is taken while something else changes all the time, from the first moment on and after a change of the button', async () => {
    let now = question();
    const { host, sent, change } = await showSurface(now);
    const tick = async (more: Question = {}): Promise<void> => {
      now = question({ ...more, words: String(performance.now()) });
      await change(now);
      await passTime(100);
    };
    for (let count = 0; count < 7; count += 1) await tick();
    click(named(host, 'OK'), 1);
    expect(sent).to.have.length(1);
    await tick({ event: 'later' });
    click(named(host, 'OK'), 1);
    expect(sent).to.have.length(1);
    for (let count = 0; count < 7; count += 1) await tick({ event: 'later' });
    click(named(host, 'OK'), 1);
    expect(sent).to.have.length(2);
  });

  it('is not taken when the button was another one for a moment and is the same again', async () => {
    const { host, sent, change } = await showSurface(question({ event: 'pay' }));
    await passTime(READ);
    await change(question());
    await passTime(300);
    await change(question({ event: 'pay' }));
    await passTime(250);
    click(named(host, 'OK'), 1);
    expect(sent).to.deep.equal([]);
  });
});

it('rule 73: an Enter that is held down presses no button of a surface again', async () => {
  const { host } = await showSurface(question());
  const press = (repeat: boolean): boolean =>
    named(host, 'OK').dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Enter', repeat, bubbles: true, cancelable: true, composed: true }),
    );
  expect([press(false), press(true)]).to.deep.equal([true, false]);
});
