import { expect, waitUntil } from '@open-wc/testing';
import { inside } from '../../components/support/mount.ts';
import type { AgentChatCopy } from '../../../src/primitives/copy-button.ts';
import type { BlockOf } from '../../../src/model/blocks.ts';
import { HOSTILE, named, showBlock, update, wordsIn } from '../support/show.ts';

const code = (more: Partial<BlockOf<'code'>['code']> = {}) =>
  ({ id: 'b', type: 'code', code: { language: 'python', content: 'print(1 + 1)\n', ...more } }) as const;

describe('code', () => {
  it('is shown with its language and a copy button, and is reachable by keyboard', async () => {
    const { element } = await showBlock(code());
    await waitUntil(() => element.querySelector('pre') !== null);
    expect(wordsIn(element.querySelector('figcaption span') ?? element)).to.equal('Python');
    expect(element.querySelector('pre')?.textContent).to.equal('print(1 + 1)\n');
    expect(element.querySelector('pre')?.tabIndex).to.equal(0);
    expect(named(element, 'Copy')).to.be.instanceOf(HTMLButtonElement);
  });

  it('of a file shows the file name', async () => {
    const { element } = await showBlock(code({ filename: 'sum.py' }));
    await waitUntil(() => element.querySelector('figcaption') !== null);
    expect(wordsIn(element.querySelector('figcaption span') ?? element)).to.equal('sum.py');
  });

  it('shows its output and its error', async () => {
    const { element } = await showBlock(code({ output: '2', error: 'Killed' }));
    expect(wordsIn(element.querySelector('.tool-box .label') ?? element)).to.equal('Output');
    expect(element.querySelector('.tool-box pre')?.textContent).to.equal('2');
    expect(element.querySelector('.problem')?.textContent).to.equal('Killed');
  });

  it('shows the beginning of a long output, and copies all of it', async () => {
    const output = 'x'.repeat(300_000);
    const { element } = await showBlock(code({ output }));
    expect(element.querySelector('.tool-box pre')?.textContent.length).to.be.within(65_536, 65_546);
    const copy = element.querySelector<AgentChatCopy>('.tool-box agent-chat-copy');
    expect(typeof copy?.value === 'function' && copy.value() === output, 'all of it is copied').to.equal(true);
  });

  it('rule 86: shows controls of the text direction in its output as escapes', async () => {
    const { element } = await showBlock(code({ output: 'a\u202eb' }));
    expect(element.querySelector('.tool-box pre')?.textContent).to.equal('a\\u202eb');
  });

  it('streams into the same text node', async () => {
    const { chat, element } = await showBlock(code(), { message: { status: 'streaming' } });
    await waitUntil(() => element.querySelector('pre') !== null);
    const text = textNode(element);
    update(chat, [code({ content: 'print(1 + 1)\nprint(2)' })], { status: 'streaming' });
    await waitUntil(() => text?.data === 'print(1 + 1)\nprint(2)');
  });

  for (const language of ['__proto__', 'a b', '<b>', 'x'.repeat(40)]) {
    it(`“${language.slice(0, 10)}” is not used as a lookup key`, async () => {
      const { element } = await showBlock(code({ language }));
      await waitUntil(() => element.querySelector('figcaption') !== null);
      const shown = language === '__proto__' ? language : 'Text';
      expect(wordsIn(element.querySelector('figcaption span') ?? element)).to.equal(shown);
    });
  }

  it('shows hostile code, file names and output as text', async () => {
    const { element } = await showBlock(
      code({ content: HOSTILE, filename: `\u202E${HOSTILE}`, output: HOSTILE, error: HOSTILE }),
    );
    await waitUntil(() => element.querySelector('code') !== null);
    for (const selector of ['code', '.tool-box pre', '.problem']) {
      expect(wordsIn(element.querySelector(selector) ?? element)).to.equal(HOSTILE);
    }
    // A long name has two parts.
    expect([...element.querySelectorAll('figcaption > span')].map(wordsIn).join('')).to.equal(HOSTILE);
    expect(element.querySelector('img')).to.equal(null);
  });
});

describe('the result of a command', () => {
  const result = (commandResult: BlockOf<'command_result'>['commandResult']) =>
    ({ type: 'command_result', commandResult }) as const;

  for (const [name, commandResult, label] of [
    ['that succeeded', { success: true, output: 'ok', exitCode: 0 }, 'Succeeded'],
    ['that failed', { success: false, output: 'ok', exitCode: 2 }, 'Failed with 2'],
    ['that failed without a code', { success: false, output: 'ok' }, 'Failed'],
  ] as const) {
    it(`${name} is labelled “${label}”, with its output`, async () => {
      const { element } = await showBlock(result(commandResult));
      expect(wordsIn(element.querySelector('.label') ?? element)).to.equal(label);
      expect(element.querySelector('pre')?.textContent).to.equal('ok');
      expect(element.querySelector('pre')?.tabIndex).to.equal(0);
    });
  }

  it('shows hostile output as text', async () => {
    const { chat, element } = await showBlock(result({ success: false, output: HOSTILE, error: HOSTILE }));
    await inside(chat, '.problem');
    expect([element.querySelector('pre')?.textContent, element.querySelector('.problem')?.textContent]).to.deep.equal([
      HOSTILE,
      HOSTILE,
    ]);
    expect(element.querySelector('img')).to.equal(null);
  });
});

const textNode = (element: Element): Text | undefined =>
  [...(element.querySelector('code')?.childNodes ?? [])].find((node) => node instanceof Text && node.data !== '') as
    | Text
    | undefined;
