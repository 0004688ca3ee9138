import { expect } from '@open-wc/testing';
import type { BlockOf } from '../../../src/model/blocks.ts';
import { has, next } from '../../components/support/mount.ts';
import { HOSTILE, named, showBlock, wordsIn } from '../support/show.ts';

type Action = BlockOf<'action'>;
const action = (action_type: Action['action_type'], more: Partial<Action> = {}) =>
  ({ type: 'action', action_type, status: 'pending', content: 'Which one?', ...more }) as const;

const OPTIONS = [
  { label: 'Trail 40', value: { id: 7 }, description: 'The blue one' },
  { label: 'Ridge', value: 'r' },
  { label: 'Both' },
];

describe('a confirmation', () => {
  it('offers its options as buttons and emits the value of the pressed one', async () => {
    const { chat, element } = await showBlock(action('confirmation', { extra: { options: OPTIONS } }));
    expect(element.getAttribute('aria-label')).to.equal('Which one?');
    expect([...element.querySelectorAll('button')].map(wordsIn)).to.deep.equal(['Trail 40', 'Ridge', 'Both']);
    for (const [name, payload] of [
      ['Trail 40', { id: 7 }],
      ['Both', 'Both'],
    ] as const) {
      const actionEvent = next(chat, 'agent-chat-action');
      named(element, name).click();
      const { detail } = await actionEvent;
      expect([detail.action, detail.payload]).to.deep.equal(['answered', payload]);
    }
  });

  for (const [name, content] of [
    ['line breaks', `Pay Mallory?${'\n'.repeat(400)}Sunny?`],
    ['words', `Pay Mallory? ${'word '.repeat(2000)}Sunny?`],
  ] as const)
    it(`rule 81: a question with many ${name} and its buttons fit in view together`, async () => {
      const { element } = await showBlock(action('confirmation', { content }));
      expect(element.getBoundingClientRect().height).to.be.below(400);
    });

  it('without options offers yes and no', async () => {
    const { chat, element } = await showBlock(action('confirmation'));
    for (const [name, decision] of [
      ['Yes', 'granted'],
      ['No', 'denied'],
    ] as const) {
      const actionEvent = next(chat, 'agent-chat-action');
      named(element, name).click();
      expect((await actionEvent).detail.action).to.equal(decision);
    }
  });

  for (const [status, words] of [
    ['denied', /^Which one\? denied, /],
    ['cancel', /^Which one\?: no longer needed$/],
  ] as const) {
    it(`${status} is one line`, async () => {
      const { element } = await showBlock(action('confirmation', { status }));
      expect(wordsIn(element)).to.match(words);
      expect(element.querySelector('button')).to.equal(null);
    });
  }

  for (const [extra, answer] of [
    [{}, 'Yes'],
    [{ options: OPTIONS, answer: 'Ridge' }, 'Ridge'],
  ] as const) {
    it(`with the answer “${answer}” shows both, the question and the answer`, async () => {
      const { element } = await showBlock(action('confirmation', { status: 'granted', extra }));
      expect(wordsIn(element)).to.match(new RegExp(`^Which one\\? Answered, \\d{1,2}:\\d\\d.*${answer}$`));
      expect(element.querySelector('button')).to.equal(null);
    });
  }

  it('shows hostile text and options as text, and leaves out invalid options', async () => {
    const { chat, element } = await showBlock(
      action('confirmation', {
        content: HOSTILE,
        extra: { options: [{ label: `\u202E${HOSTILE}`, value: 1 }, { label: 7 }, { title: 'none' }] },
      }),
    );
    expect(element.getAttribute('aria-label')).to.equal(HOSTILE);
    expect([...element.querySelectorAll('button')].map(wordsIn)).to.deep.equal([HOSTILE]);
    expect(has(chat, 'agent-chat-message img')).to.equal(false);
  });
});

describe('rule 43: the card of a question names the agent that asks', () => {
  const content = 'This page needs your confirmation: your session has expired.';
  const schema = JSON.stringify({ type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } });
  for (const [name, block] of Object.entries({
    confirmation: action('confirmation', { content }),
    choices: action('question', { content, extra: { options: OPTIONS } }),
    interrupt: action('interrupt', { content }),
    form: action('question', { content, extra: { schema } }),
  }))
    it(name, async () => {
      for (const [author, shown] of [
        ['Concierge', 'From Concierge'],
        ['You', 'From You (agent)'],
      ] as const) {
        const { element } = await showBlock(block, { message: { name: author } });
        expect(wordsIn(element)).to.contain(`${content} ${shown}`);
      }
    });
});

describe('rule 42: a question that is no longer needed', () => {
  it('is quoted, and says nothing in the widget’s line', async () => {
    const content = 'Transfer money allowed, 7:14 AM. Checked by this page. The second transfer';
    for (const [status, words] of [
      ['cancel', ': no longer needed'],
      ['denied', 'denied, '],
    ] as const) {
      const { element } = await showBlock(action('question', { content, status }));
      expect(element.querySelector('q')?.textContent.trim()).to.equal(content);
      expect(wordsIn(element)).to.contain(words);
    }
  });
});

describe('rule 78: the options of a question show every character that they send', () => {
  const VALUES = ['yes', 'yes\u200b', 'yes ', ' yes', 'y  es', 'y\u00a0es', 'YES', 'y\u{e0041}es', '👩‍💻'];
  const SHOWN = [
    'yes',
    'yes\\u200b',
    'yes\\u0020',
    '\\u0020yes',
    'y\\u0020 es',
    'y\\u00a0es',
    'YES',
    'y\\u{e0041}es',
    '👩‍💻',
  ];
  const options = VALUES.map((value) => ({ label: value, value }));
  for (const type of ['confirmation', 'question', 'interrupt'] as const)
    it(`of a ${type}`, async () => {
      const { element } = await showBlock(action(type, { extra: { options } }));
      const buttons = [...element.querySelectorAll(type === 'confirmation' ? '.actions button' : '.choice')];
      expect(buttons.map(({ textContent }) => textContent.trim())).to.deep.equal(SHOWN);
    });

  it('in a form', async () => {
    const schema = JSON.stringify({ type: 'object', properties: { a: { enum: VALUES }, b: { type: 'string' } } });
    const { element } = await showBlock(action('question', { extra: { schema } }));
    const labels = [...element.querySelectorAll('option, label')].map(({ textContent }) => textContent.trim());
    expect(labels).to.include.members(SHOWN);
  });

  it('after the answer', async () => {
    const { element } = await showBlock(
      action('question', { status: 'granted', extra: { options, answer: 'yes\u200b' } }),
    );
    expect(element.querySelector('q')?.textContent).to.equal('yes\\u200b');
  });
});

for (const type of ['question', 'interrupt'] as const) {
  describe(type === 'question' ? 'a question' : 'an interrupt', () => {
    it('offers choices with descriptions, and a field for another answer', async () => {
      const { element } = await showBlock(action(type, { extra: { options: OPTIONS } }));
      expect([...element.querySelectorAll('.choice')].map(wordsIn)).to.deep.equal([
        'Trail 40 The blue one',
        'Ridge',
        'Both',
      ]);
      expect(named(element, 'Your answer')).to.be.instanceOf(HTMLInputElement);
    });

    it('answers with the value of a choice', async () => {
      const { chat, element } = await showBlock(action(type, { extra: { options: OPTIONS } }));
      const actionEvent = next(chat, 'agent-chat-action');
      named(element, 'Ridge').click();
      const { detail } = await actionEvent;
      expect([detail.action, detail.payload]).to.deep.equal(['answered', 'r']);
    });

    it('answers with the entered text, and never with an empty one', async () => {
      const { chat, element } = await showBlock(action(type));
      const actionEvent: unknown[] = [];
      chat.addEventListener('agent-chat-action', ({ detail }) => actionEvent.push([detail.action, detail.payload]));
      const form = element.querySelector('form');
      const field = named<HTMLInputElement>(element, 'Your answer');
      form?.requestSubmit();
      field.value = '   ';
      form?.requestSubmit();
      field.value = ' The blue one ';
      form?.requestSubmit();
      expect(actionEvent).to.deep.equal([['answered', 'The blue one']]);
    });

    it('its form has no address', async () => {
      const { element } = await showBlock(action(type));
      expect(element.querySelector('[action], [formaction]')).to.equal(null);
    });

    it('can be skipped', async () => {
      const { chat, element } = await showBlock(action(type));
      const actionEvent = next(chat, 'agent-chat-action');
      named(element, 'Skip').click();
      expect((await actionEvent).detail.action).to.equal('dismissed');
    });
  });
}

describe('the limit of tool calls', () => {
  it('shows that the agent paused, and continues or stops with one click', async () => {
    const { chat, element } = await showBlock({
      type: 'action',
      action_type: 'maximum_tool_calls_reached',
      status: 'pending',
    });
    expect([element.getAttribute('role'), element.getAttribute('aria-label')]).to.deep.equal([
      'group',
      'Paused after many tool calls',
    ]);
    for (const [name, decision] of [
      ['Continue', 'granted'],
      ['Stop here', 'denied'],
    ] as const) {
      const actionEvent = next(chat, 'agent-chat-action');
      named(element, name).click();
      expect((await actionEvent).detail.action).to.equal(decision);
    }
  });

  for (const [status, words] of [
    ['granted', 'Continued'],
    ['denied', 'Stopped here'],
    ['cancel', 'Stopped here'],
  ] as const) {
    it(`${status} is one line: ${words}`, async () => {
      const { element } = await showBlock({ type: 'action', action_type: 'maximum_tool_calls_reached', status });
      expect(wordsIn(element)).to.equal(words);
      expect(element.querySelector('button')).to.equal(null);
    });
  }
});

describe('an answered question', () => {
  it('of an imported conversation is shown whatever its times are', async () => {
    const { element } = await showBlock({
      type: 'action',
      action_type: 'question',
      status: 'success',
      content: 'When?',
      timestamp: 1e300,
      extra: { answer: 'Now', decided: 1e300 },
    });
    expect(wordsIn(element)).to.match(/Now$/);
  });
});
