import { expect, fixture, html, waitUntil } from '@open-wc/testing';
import { createLocalize } from '../../src/locales/localize.ts';
import type { AgentChatCode } from '../../src/primitives/code.ts';
import { colourCode } from '../../src/primitives/colour-code.ts';
import '../../src/components/parts.ts';
import { languageName } from '../../src/renderers/language-name.ts';
import { copiedBy } from '../support/copied.ts';
import { settled } from '../support/fake-delay.ts';

const localize = createLocalize('en');
const make = (code: string, language: string, whole = true) =>
  fixture<AgentChatCode>(
    html`<agent-chat-code .code=${code} .language=${language} .whole=${whole} .localize=${localize}></agent-chat-code>`,
  );
const textOf = (element: AgentChatCode): Text => {
  const text = [...(element.querySelector('code')?.childNodes ?? [])].find((node) => node instanceof Text && node.data);
  if (!(text instanceof Text)) throw new Error('There is no code.');
  return text;
};

/** The words of a node that wear a colour. */
const coloured = (text: Text, colour: string): readonly string[] =>
  [...(CSS.highlights.get(`agent-chat-${colour}`) ?? [])]
    .filter(({ startContainer }) => startContainer === text)
    .map(({ startOffset, endOffset }) => text.data.slice(startOffset, endOffset));

/** A browser that has none is to have none again. */
function giveBack(requestIdleCallback: typeof globalThis.requestIdleCallback | undefined): void {
  if (requestIdleCallback) Object.assign(globalThis, { requestIdleCallback });
  else Reflect.deleteProperty(globalThis, 'requestIdleCallback');
}

describe('a block of code', () => {
  const names = [
    ['ts', 'TypeScript'],
    ['PYTHON', 'Python'],
    ['cobol', 'cobol'],
    ['', 'Text'],
    ['constructor', 'constructor'],
  ] as const;
  for (const [language, name] of names) {
    it(`“${language}” is called ${name}`, async () => {
      const element = await make('x', language);
      expect(element.querySelector('figcaption span')?.textContent).to.equal(name);
    });
  }

  it('takes its colours when it is whole, without another node', async () => {
    const element = await make('const a = "b"; // c', 'ts');
    const text = textOf(element);
    await waitUntil(() => coloured(text, 'keyword').length > 0, 'the colours come', { timeout: 10_000 });
    expect(coloured(text, 'keyword')).to.deep.equal(['const']);
    expect(coloured(text, 'string')).to.deep.equal(['"b"']);
    expect(coloured(text, 'comment')).to.deep.equal(['// c']);
    expect(textOf(element)).to.equal(text);
    expect(element.querySelector('code')?.children.length).to.equal(0);
  });

  it('while it grows it has none', async () => {
    const { requestIdleCallback } = globalThis;
    let asked = 0;
    Object.assign(globalThis, { requestIdleCallback: () => ++asked });
    try {
      const element = await make('const a', 'ts', false);
      element.code = 'const a = 1';
      await element.updateComplete;
      expect(asked).to.equal(0);
      element.whole = true;
      await waitUntil(() => asked === 1, 'it asks when it is whole');
    } finally {
      giveBack(requestIdleCallback);
    }
  });

  it('taken from the page, its colours go with it', async () => {
    const element = await make('const a = 1', 'ts');
    const text = textOf(element);
    await waitUntil(() => coloured(text, 'keyword').length > 0, 'the colours come', { timeout: 10_000 });
    element.remove();
    expect(coloured(text, 'keyword')).to.deep.equal([]);
  });

  it('taken from the page while its colours are on their way, none stay', async () => {
    const { requestIdleCallback } = globalThis;
    const idle: (() => void)[] = [];
    Object.assign(globalThis, { requestIdleCallback: (work: () => void) => idle.push(work) });
    try {
      const element = await make('const a = 1', 'ts');
      const text = textOf(element);
      await waitUntil(() => idle.length > 0, 'it is in sight');
      for (const work of idle) work();
      element.remove();
      // Behind a second colouring of the same language, the first is over.
      const uncolour = await colourCode([document.createTextNode('const b')], 'ts');
      await settled();
      expect(coloured(text, 'keyword')).to.deep.equal([]);
      uncolour?.();
    } finally {
      giveBack(requestIdleCallback);
    }
  });

  it('what is out of sight again before it could be read is not coloured', async () => {
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
      const place = element.parentElement!;
      await waitUntil(() => waiting !== undefined, 'it is in sight');
      place.style.paddingBlockStart = '5000px';
      await waitUntil(() => waiting === undefined, 'it has rushed by');
      place.style.paddingBlockStart = '';
      await waitUntil(() => waiting !== undefined, 'it is back');
      expect(coloured(text, 'keyword')).to.deep.equal([]);
      waiting?.();
      await waitUntil(() => coloured(text, 'keyword').length > 0, 'the colours come', { timeout: 10_000 });
    } finally {
      Object.assign(globalThis, { setTimeout, clearTimeout });
    }
  });

  it('out of sight it has no colours, and in sight it has them again', async () => {
    const element = await make('const a = 1', 'ts');
    const text = textOf(element);
    const place = element.parentElement!;
    place.style.paddingBlockStart = '5000px';
    await waitUntil(() => coloured(text, 'keyword').length === 0);
    place.style.paddingBlockStart = '';
    await waitUntil(() => coloured(text, 'keyword').length > 0, 'the colours come', { timeout: 10_000 });
    place.style.paddingBlockStart = '5000px';
    await waitUntil(() => coloured(text, 'keyword').length === 0, 'the colours go');
    place.style.paddingBlockStart = '';
  });

  it('keeps the lines of long code in boxes, and its colours in all of them', async () => {
    const lines = Array.from({ length: 200 }, (_, index) => `let a${String(index)}; /*\n*/`);
    const element = await make(lines.slice(0, 10).join('\n'), 'ts', false);
    const first = textOf(element);
    for (let count = 11; count <= lines.length; count++) {
      element.code = lines.slice(0, count).join('\n');
      await element.updateComplete;
    }
    element.whole = true;
    const code = element.querySelector('code')!;
    expect(textOf(element)).to.equal(first);
    expect(code.textContent).to.equal(lines.join('\n'));
    expect(code.querySelectorAll('.lines').length).to.equal(6);
    expect(code.querySelectorAll('.lines.whole').length).to.equal(5);
    await waitUntil(() => coloured(first, 'keyword').length > 0, 'the colours come', { timeout: 10_000 });
    const keywords = [...(CSS.highlights.get('agent-chat-keyword') ?? [])].filter(({ startContainer }) =>
      code.contains(startContainer),
    );
    expect(keywords.length).to.equal(200);
    const words = keywords.map(({ startContainer, startOffset }) =>
      startContainer.textContent?.slice(startOffset, startOffset + 3),
    );
    expect(new Set(words)).to.deep.equal(new Set(['let']));
  });

  it('moved in the page, it has its colours again', async () => {
    const element = await make('const a = 1', 'ts');
    const text = textOf(element);
    await waitUntil(() => coloured(text, 'keyword').length > 0, 'the colours come', { timeout: 10_000 });
    document.body.append(element);
    await waitUntil(() => coloured(text, 'keyword').length > 0, 'the colours are back', { timeout: 10_000 });
    element.remove();
  });

  it('is copied as it is, however often it has grown', async () => {
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

describe('colourCode', () => {
  const node = (text: string): Text => document.createTextNode(text);

  for (const language of ['brainfuck', '', '__proto__', 'toString']) {
    it(`leaves “${language}” as it is`, async () => {
      expect(await colourCode([node('const a = 1')], language)).to.equal(undefined);
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
    it(`knows “${language}”`, async () => {
      const text = node(code);
      const uncolour = await colourCode([text], language);
      expect(coloured(text, 'keyword')).to.include(keyword);
      uncolour?.();
      expect(coloured(text, 'keyword')).to.deep.equal([]);
    });
  }

  it('without the highlight API of the browser leaves the code as it is', async () => {
    const { Highlight } = globalThis;
    Reflect.deleteProperty(globalThis, 'Highlight');
    try {
      expect(await colourCode([node('return 1')], 'js')).to.equal(undefined);
    } finally {
      Object.assign(globalThis, { Highlight });
    }
  });
});

describe('rule 4: a language is a name, or none', () => {
  const rows: readonly (readonly [given: unknown, name: string])[] = [
    ['c++', 'c++'],
    ['objective-c', 'objective-c'],
    ['x'.repeat(32), 'x'.repeat(32)],
    ['x'.repeat(33), ''],
    ['a b', ''],
    ['"onload="alert(1)', ''],
    ['<b>', ''],
    [7, ''],
  ];
  for (const [given, name] of rows) {
    it(`“${String(given)}” is “${name}”`, () => {
      expect(languageName(given)).to.equal(name);
    });
  }

  for (const language of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
    it(`“${language}” is no key of an object`, async () => {
      const element = await make('let x = 1;', language);
      expect(element.querySelector('figcaption span')?.textContent).to.equal(language);
    });
  }
});
