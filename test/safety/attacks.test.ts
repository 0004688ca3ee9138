import { expect, nextFrame } from '@open-wc/testing';
import { html, render } from 'lit';
import { createLocalize } from '../../src/locales/localize.ts';
import { AgentChatImage } from '../../src/primitives/media/image.ts';
import { defineOnce } from '../../src/primitives/define-once.ts';
import { imageOf } from '../../src/renderers/media/policy-image.ts';
import { mediaLimits } from '../../src/safety/media-limits.ts';
import { sanitizeHtml } from '../../src/safety/sanitize.ts';
import { show, view } from '../markdown/support/show.ts';
import { strangers, watchPage } from './support/harmless.ts';
import { htmlAttacks } from './support/html-attacks.ts';
import { markdownAttacks, type Attack } from './support/markdown-attacks.ts';

defineOnce('agent-chat-image', AgentChatImage);

/** The widget's own image rendering, with the policy of a page that allows no image host. */
const widgetView = {
  ...view,
  image: (src: string, alt: string) =>
    imageOf(src, alt, {
      localize: createLocalize('en'),
      imageHosts: '',
      limits: mediaLimits,
    }),
};

/** Waits until lazy modules are loaded, elements have rendered, and loads and scripts would have started. */
async function settled(place: HTMLElement): Promise<void> {
  await import('../../src/safety/sanitize.ts');
  for (const element of place.querySelectorAll('*'))
    await (element as { updateComplete?: Promise<unknown> }).updateComplete;
  await nextFrame();
  await nextFrame();
}

type Way = (attack: string) => HTMLElement;

/** The ways in which an attack can enter the widget. */
const ways: Readonly<Record<string, Way>> = {
  'in Markdown': (input) => show(input, false, widgetView).place,
  'in Markdown that grows': (input) => {
    const { place, update } = show('', true, widgetView);
    for (let end = 1; end < input.length; end++) update(input.slice(0, end), true);
    update(input);
    return place;
  },
  'in a line of Markdown': (input) => show(`a ${input.replaceAll('\n', ' ')} b`, false, widgetView).place,
  'in a table, a list and a quote': (input) => {
    const line = input.replaceAll('\n', ' ');
    return show(`| ${line} |\n|---|\n\n- ${line}\n\n> ${line}\n\n# ${line}`, false, widgetView).place;
  },
  'as HTML': (input) => {
    const { place } = show();
    render(html`<agent-chat-html .source=${input} .view=${widgetView}></agent-chat-html>`, place);
    return place;
  },
};

const attacks: readonly Attack[] = [...markdownAttacks, ...htmlAttacks];

describe('attacks', () => {
  for (const [name, way] of Object.entries(ways)) {
    for (const attack of attacks) {
      it(`${name}: ${attack.name}`, async () => {
        const page = watchPage();
        const place = way(attack.input);
        await settled(place);
        for (const element of place.querySelectorAll<HTMLElement>('*')) {
          for (const event of ['mouseover', 'focus', 'toggle', 'error', 'load', 'animationstart'])
            element.dispatchEvent(new Event(event));
        }
        expect(page.harm()).to.deep.equal([]);
        expect(strangers(place)).to.deep.equal([]);
      });
    }
  }
});

describe('sanitizeHtml()', () => {
  /** The markup of sanitized nodes, for comparison. */
  const markup = (input: string): string => {
    const place = document.createElement('div');
    place.append(sanitizeHtml(input).nodes);
    return place.innerHTML;
  };

  const rows: readonly { name: string; input: string; expected: string }[] = [
    {
      name: 'keeps allowed elements',
      input: '<p title="a" lang="de">x <b>y</b></p>',
      expected: '<p title="a" lang="de">x <b>y</b></p>',
    },
    {
      name: 'keeps the text of other elements',
      input: '<form><p>x</p><button>y</button></form>',
      expected: '<p>x</p>y',
    },
    { name: 'drops scripts with their content', input: 'a<script>x</script>b<style>y</style>c', expected: 'abc' },
    { name: 'drops an unclosed script', input: 'a<script>x', expected: 'a' },
    { name: 'drops an incomplete tag', input: 'a<b title="x', expected: 'a' },
    {
      name: 'keeps a less-than sign that begins no tag',
      input: '1 < 2 and 3 <4 > 2',
      expected: '1 &lt; 2 and 3 &lt;4 &gt; 2',
    },
    { name: 'keeps text after such a sign', input: '<p>1 < 2 and <b', expected: '<p>1 &lt; 2 and </p>' },
    { name: 'keeps an apostrophe in a tag', input: "<b don't>x</b> y", expected: '<b>x</b> y' },
    { name: 'keeps character references', input: '&lt;b&gt; &amp;amp; &copy;', expected: '&lt;b&gt; &amp;amp; ©' },
    {
      name: 'keeps an address without quotes',
      input: '<a href=https://a.example/?b=c&amp;d=e>x</a>',
      expected:
        '<a href="https://a.example/?b=c&amp;d=e" dir="auto" target="_blank" rel="noopener noreferrer nofollow">x</a>',
    },
    { name: 'drops a relative link', input: '<a href="/logout">x</a>', expected: '<a>x</a>' },
    { name: 'drops bidi controls in a title', input: '<p title="a\u202eb">x</p>', expected: '<p title="ab">x</p>' },
  ];
  for (const { name, input, expected } of rows) {
    it(name, () => {
      expect(markup(input)).to.equal(expected);
    });
  }

  for (const { name, input } of htmlAttacks) {
    it(`rule 2: changes nothing the second time: ${name}`, () => {
      expect(markup(markup(input))).to.equal(markup(input));
    });
  }

  it('removes images before they are in the document', () => {
    const { nodes, images } = sanitizeHtml('<p><img src="https://a.example/a.png" alt="b"></p>');
    expect(nodes.querySelector('img')).to.equal(null);
    expect(images.map(({ src, alt }) => [src, alt])).to.deep.equal([['https://a.example/a.png', 'b']]);
  });

  it('handles an attribute of three million characters', () => {
    const { images } = sanitizeHtml(`<img alt="x" src="data:image/png;base64,${'A'.repeat(3_000_000)}">`);
    expect(images[0]?.src.length).to.be.above(3_000_000);
  });
});
