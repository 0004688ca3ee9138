import { expect, nextFrame } from '@open-wc/testing';
import { html, render } from 'lit';
import { markdown } from '../../src/markdown/markdown-directive.ts';
import { renderAllSlices, sliceLength } from '../../src/markdown/time-slices.ts';
import { outline, show, view } from './support/show.ts';

const FIRST = 16_384;
const SENTENCE = 'Some words of a *paragraph* that says nothing much, and then it ends.\n\n';
const PARAGRAPHS = 1200;
const long = SENTENCE.repeat(PARAGRAPHS);

/** A container for a text that is rendered over several frames. */
function place(): HTMLElement {
  const element = document.createElement('div');
  document.body.append(element);
  return element;
}

describe('time slices', function () {
  // Slow frames get shorter slices: a busy machine needs many frames for a long text.
  this.timeout(60_000);

  it('contain the whole of an ordinary answer', () => {
    const answer =
      `${SENTENCE.trim()} It goes on for *some* while, as answers do, and is no longer than that.\n\n`.repeat(110);
    expect(sliceLength(answer, FIRST)).to.equal(answer.length);
  });

  for (const hostile of ['*a* ', '`a` ', '# a\n', '![a](b) ', '<b>', '~~~\n', '|a', '[a](b) ', 'a\u0301'])
    it(`are short for a text that is mostly marks: ${JSON.stringify(hostile)}`, () => {
      expect(sliceLength(hostile.repeat(FIRST), FIRST)).to.be.below(5000);
    });

  it('leave the rest of a long text to the next frames, to its end', async () => {
    const element = place();
    let drawn = 0;
    render(html`${markdown(long, view, { drawn: () => drawn++ })}`, element);
    expect(element.querySelectorAll('p').length).to.be.above(10).and.below(300);
    expect(drawn).to.equal(0);
    let before = 0;
    while (drawn === 0) {
      const { length } = element.querySelectorAll('p');
      expect(length - before, 'drawn in one frame').to.be.below(1000);
      before = length;
      await nextFrame();
    }
    expect(element.querySelectorAll('p').length).to.equal(PARAGRAPHS);
    element.remove();
  });

  it('end in the same elements as one step', async () => {
    const element = place();
    let drawn = false;
    render(html`${markdown(long, view, { drawn: () => (drawn = true) })}`, element);
    while (!drawn) await nextFrame();
    expect(outline(element)).to.equal(outline(show(long).place));
    element.remove();
  });

  it('are all rendered before a page is printed', () => {
    const element = place();
    render(html`${markdown(long, view)}`, element);
    dispatchEvent(new Event('beforeprint'));
    expect(element.querySelectorAll('p').length).to.equal(PARAGRAPHS);
    element.remove();
  });

  it('continue with text that arrives in the meantime', () => {
    const element = place();
    const draw = (text: string, growing: boolean): void => {
      render(html`${markdown(text, view, { growing })}`, element);
    };
    draw(long, true);
    draw(`${long}The end.`, true);
    draw(`${long}The end.`, false);
    renderAllSlices();
    expect(element.querySelectorAll('p').length).to.equal(PARAGRAPHS + 1);
    expect(element.textContent).to.include('The end.');
    element.remove();
  });

  it('start again with another text', () => {
    const element = place();
    render(html`${markdown(long, view)}`, element);
    render(html`${markdown('Another one.', view)}`, element);
    renderAllSlices();
    expect(element.textContent.trim()).to.equal('Another one.');
    element.remove();
  });
});

describe('combining marks on one letter', () => {
  it('are limited to 32', () => {
    expect(show(`a${'\u0301'.repeat(5000)}b`).place.textContent.trim()).to.equal(`a${'\u0301'.repeat(32)}b`);
  });
  it('are all rendered for real languages', () => {
    const text = 'Tiếng Việt, हिन्दी, ภาษาไทย, a\u0301\u0323\u0308\u0302';
    expect(show(text).place.textContent.trim()).to.equal(text);
  });
});
