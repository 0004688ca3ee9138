import { expect } from '@open-wc/testing';
import { ALLOWED_ELEMENTS, allowedAttributes } from '../../src/safety/allowed-html.ts';
import { filterHtml } from '../../src/safety/filter-html.ts';

/** Attributes that style, identify, name, load, submit or trigger something. No element may have them. */
const FORBIDDEN = [
  'class id style name slot part exportparts is role tabindex accesskey autofocus contenteditable draggable hidden inert nonce',
  'target ping download rel referrerpolicy srcset sizes background poster loading formaction form popovertarget commandfor',
  'command popover data-x aria-label aria-hidden onclick onload onerror onfocus srcdoc sandbox allow usemap ismap longdesc',
  'itemscope itemprop itemid xmlns xlink:href http-equiv attributionsrc interestfor virtualkeyboardpolicy constructor __proto__',
].flatMap((line) => line.split(' '));

const CODE =
  'script style template iframe object embed noscript noembed noframes svg math title textarea select option xmp plaintext';
const GONE =
  'form input button label fieldset dialog video audio source track canvas map area link meta base frame frameset marquee slot portal ' +
  'fencedframe my-element agent-chat center font applet param keygen menuitem progress meter output';

describe('rule 2: the allow-list', () => {
  for (const element of ALLOWED_ELEMENTS)
    it(`<${element}> keeps no attribute that styles, identifies or triggers anything`, () => {
      const attributes = FORBIDDEN.map((name) => ` ${name}="x"`).join('');
      expect(filterHtml(`<${element}${attributes}>`)).to.equal(`<${element}>`);
    });

  it('has only one attribute that is a URL to follow and one to load', () => {
    const urls =
      'href src action formaction cite data poster background ping srcset manifest longdesc xlink:href'.split(' ');
    expect(urls.filter((name) => allowedAttributes.includes(name))).to.deep.equal(['href', 'src', 'cite']);
    for (const element of ALLOWED_ELEMENTS) {
      const kept = filterHtml(`<${element} href="u" src="u" cite="u">`);
      const expected = { a: ' href="u"', img: ' src="u"', q: ' cite="u"' }[element] ?? '';
      expect(kept).to.equal(`<${element}${expected}>`);
    }
  });

  for (const element of CODE.split(' '))
    it(`<${element}> is dropped with its content`, () => {
      expect(filterHtml(`a<${element}>CODE</${element}>b`)).not.to.include('CODE');
      expect(filterHtml(`a<${element.toUpperCase()} x>CODE`)).not.to.include('CODE');
    });

  for (const element of GONE.split(' '))
    it(`<${element}> is dropped, and its text kept`, () => {
      const filtered = filterHtml(`<${element} href="u">text</${element}>`);
      expect(filtered).to.include('text');
      expect(filtered).not.to.match(/<[a-z]/);
    });
});
