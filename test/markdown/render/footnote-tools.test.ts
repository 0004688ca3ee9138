import { expect, waitUntil } from '@open-wc/testing';
import { enumerate } from '../../../src/enumerate.ts';
import { activateFootnotes } from '../../../src/markdown/render/footnote-tools.ts';
import { show } from '../support/show.ts';

const TEXT = 'First[^a], second[^b], first again[^a].\n\n[^a]: Note A\n[^b]: Note B';

/** Shows the text, and waits until its footnotes react. */
async function showFootnotes(): Promise<{ readonly place: HTMLElement; readonly marks: readonly HTMLElement[] }> {
  const { place } = show(TEXT);
  const marks = [...place.querySelectorAll<HTMLElement>('.note-mark')];
  await waitUntil(() => {
    marks[0]?.focus();
    const isReady = place.querySelector('.note-preview') !== null;
    marks[0]?.blur();
    return isReady;
  }, 'the footnotes react');
  return { place, marks };
}
/** What has the focus: the number of the reference in the text, or the label of the note. */
const focused = (marks: readonly HTMLElement[]): number | string | undefined => {
  const element = document.activeElement;
  const index = marks.findIndex((mark) => mark === element);
  return index < 0 ? (element as HTMLElement).dataset['note'] : index;
};
/** The edges of a preview, from its style: the stylesheet that makes it follow its style is not loaded into this page. */
function positionOf(place: HTMLElement): Record<'top' | 'bottom' | 'left' | 'right', number> {
  const card = place.querySelector<HTMLElement>('.note-preview')!;
  const { width, height } = card.getBoundingClientRect();
  const [top, left] = [parseFloat(card.style.top), parseFloat(card.style.left)];
  return { top, bottom: top + height, left, right: left + width };
}
const goBack = (): void => {
  (document.activeElement as HTMLElement).click();
};

describe('the footnotes of a text', () => {
  it('lead to their note, and the note leads back to the reference that the user came from', async () => {
    const { marks } = await showFootnotes();
    for (const [index, label] of enumerate(['^a', '^b', '^a'])) {
      marks[index]?.click();
      expect(focused(marks)).to.equal(label);
      goBack();
      expect(focused(marks)).to.equal(index);
    }
  });

  it('show their note on focus, until the focus or Escape leaves it', async () => {
    const { place, marks } = await showFootnotes();
    const previews = (): readonly string[] =>
      [...place.querySelectorAll('.note-preview')].map((card) => card.textContent);
    marks[1]?.focus();
    expect(previews()).to.deep.equal(['Note B']);
    expect(marks[1]?.getAttribute('aria-description')).to.equal('Note B');
    marks[0]?.focus();
    expect(previews()).to.deep.equal(['Note A']);
    document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }));
    expect(previews()).to.deep.equal([]);
  });

  it('show their note in front of the text while the pointer is over the reference or the note', async () => {
    const { place, marks } = await showFootnotes();
    const preview = (): HTMLElement | null => place.querySelector('.note-preview');
    const move = (from: Element | null | undefined, to: Element | null | undefined): void => {
      from?.dispatchEvent(new PointerEvent('pointerout', { bubbles: true, relatedTarget: to ?? null }));
      to?.dispatchEvent(new PointerEvent('pointerover', { bubbles: true, relatedTarget: from ?? null }));
    };
    move(place, marks[1]);
    expect(preview()?.matches(':popover-open')).to.equal(true);
    move(marks[1], preview());
    expect(preview()?.textContent).to.equal('Note B');
    move(preview(), marks[1]);
    expect(preview()?.textContent).to.equal('Note B');
    move(marks[1], place);
    expect(preview()).to.equal(null);
  });

  for (const { name, style, isAbove } of [
    { name: 'above its reference', style: 'margin-top: 200px', isAbove: true },
    { name: 'below a reference without space above it', style: 'position: fixed; top: 0', isAbove: false },
  ])
    it(`show their note ${name}`, async () => {
      const { place, marks } = await showFootnotes();
      place.style.cssText = style;
      marks[1]?.focus();
      const { top, bottom, left } = marks[1]!.getBoundingClientRect();
      const card = positionOf(place);
      expect(isAbove ? top - card.bottom : card.top - bottom).to.be.closeTo(4, 0.5);
      expect(card.left).to.be.closeTo(Math.max(8, left - 8), 0.5);
    });

  it('show their note within the viewport', async () => {
    const { place, marks } = await showFootnotes();
    const edges = (style: string): readonly [left: number, right: number] => {
      place.style.cssText = style;
      marks[1]?.focus();
      const { left, right } = positionOf(place);
      marks[1]?.blur();
      return [left, document.documentElement.clientWidth - right];
    };
    expect(edges('position: fixed; left: 100%')[1]).to.be.closeTo(8, 0.5);
    expect(edges('position: fixed; right: 100%')[0]).to.be.closeTo(8, 0.5);
  });

  it('take Escape only while a note is shown', async () => {
    const { place, marks } = await showFootnotes();
    let received = 0;
    place.addEventListener('keydown', () => received++);
    const press = (): void => {
      place.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    };
    marks[0]?.focus();
    press();
    expect(received, 'closes the note').to.equal(0);
    press();
    expect(received, 'reaches the text').to.equal(1);
  });

  it('react once, however often the text is activated', async () => {
    const { place, marks } = await showFootnotes();
    activateFootnotes(place);
    marks[1]?.focus();
    expect(place.querySelectorAll('.note-preview').length).to.equal(1);
  });
});
