import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import { effort } from '../../support/effort.ts';
import { beginnings, blocks, cuts } from '../documents.ts';
import { grown, outline, show, wordsOf } from '../support/show.ts';

const letters = (text: string): readonly string[] =>
  Array.from({ length: text.length }, (_, index) => text.slice(0, index + 1));
const marksIn = (place: Element): readonly (string | null)[] =>
  Array.from(place.querySelectorAll('sup > .note-mark'), ({ textContent }) => textContent);
const notesIn = (place: Element): readonly string[] =>
  Array.from(
    place.querySelectorAll('.notes > ol > li'),
    (note) =>
      `${note.querySelector('.note-label')?.textContent ?? ''}: ${note.querySelector(':scope > div')?.textContent.trim() ?? ''}`,
  );

const rows: readonly { readonly text: string; readonly marks: readonly string[]; readonly notes: readonly string[] }[] =
  [
    { text: 'a[^1] b\n\n[^1]: The *note*.', marks: ['1'], notes: ['1: The note.'] },
    { text: 'a[^1] b[^x2]\n\n[^1]: One\n[^x2]: Two\n\nafter', marks: ['1', 'x2'], notes: ['1: One', 'x2: Two'] },
    { text: '[^1]: One\n\nbefore[^1]', marks: ['1'], notes: ['1: One'] },
    { text: 'a[^1]\n\n[^1]: One\ngoes on\n\n    - item\n\nafter', marks: ['1'], notes: ['1: One\ngoes onitem'] },
    { text: 'a[^long-name]\n\nb\n\n[^long-name]: c', marks: ['long-name'], notes: ['long-name: c'] },
    { text: 'a[^1] *b[^1]*\n[^1]: c', marks: ['1', '1'], notes: ['1: c'] },
    {
      text: '| a[^1] |\n|---|\n| b[^1] |\n\n- c[^1]\n\n> d[^1]\n\n[^1]: e',
      marks: ['1', '1', '1', '1'],
      notes: ['1: e'],
    },
    // A marker without a note is text.
    { text: 'a[^1] and [^a-z]', marks: [], notes: [] },
    { text: '`[^1]` \\[^1] [x][^1]\n\n[^1]: a', marks: ['1'], notes: ['1: a'] },
    { text: '> [^1]: a', marks: [], notes: [] },
    { text: '[^1]: [^2]: [^1]: a', marks: ['1'], notes: ['1: [^2]: 1: a'] },
  ];

describe('footnotes', () => {
  it('of a long list are in groups, which the browser lays out and skips as one, in their order', () => {
    const labels = Array.from({ length: 100 }, (_, index) => String(index + 1));
    const text = labels.map((label) => `a[^${label}]\n\n[^${label}]: note\n\n`).join('');
    const place = show(text).place;
    const found = [...place.querySelectorAll<HTMLElement>('.notes li')];
    expect(found.map((note) => note.querySelector('.note-label')?.textContent)).to.deep.equal(labels);
    const groups = [...place.querySelectorAll('.notes > ol > .part')];
    expect(groups.map((group) => [group.role, group.childElementCount])).to.deep.equal([
      ['none', 32],
      ['none', 32],
      ['none', 4],
    ]);
  });

  for (const { text, marks, notes } of rows)
    it(JSON.stringify(text), () => {
      const { place } = show(text);
      expect(marksIn(place)).to.deep.equal(marks);
      expect(notesIn(place)).to.deep.equal(notes);
      expect(outline(grown(letters(text), text))).to.equal(outline(place));
    });

  it('shows no raw mark while it is streaming', () => {
    const text = 'One[^1], two[^note].\n\n[^1]: First\n[^note]: Second';
    const { place, update } = show('', true);
    for (const beginning of letters(text)) {
      update(beginning, true);
      expect(wordsOf(place), beginning).to.not.match(/[[\]^]/);
    }
  });

  it('keeps its markers and notes while the text continues', () => {
    const start = 'a[^1]\n\n[^1]: One';
    const { place, update } = show(start, true);
    const [mark, note] = [place.querySelector('.note-mark'), place.querySelector('.notes li')];
    update(`${start}\n[^2]: Two`, true);
    update(`${start}\n[^2]: Two\n\nafter\n\nthat`);
    expect(place.querySelector('.note-mark') === mark && place.querySelector('.notes li') === note).to.equal(true);
    expect(place.lastElementChild?.className).to.equal('notes');
  });

  it('links the marker and the note in both directions, and shows the focused note', async () => {
    const { place } = show('a[^1] b[^1]\n\n[^1]: The note');
    const marks = place.querySelectorAll<HTMLElement>('.note-mark');
    const [, second] = marks;
    const { activateFootnotes } = await import('../../../src/markdown/render/footnote-tools.ts');
    activateFootnotes(place);
    second?.focus();
    expect(place.querySelector('.note-preview')?.textContent).to.equal('The note');
    expect(second?.getAttribute('aria-description')).to.equal('The note');
    document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    expect(place.querySelector('.note-preview')).to.equal(null);
    second?.click();
    const back = place.querySelector<HTMLElement>('.note-back');
    expect(document.activeElement === back).to.equal(true);
    back?.click();
    expect(document.activeElement === second).to.equal(true);
  });

  it('ends in the same elements as in one step, cut anywhere', () => {
    const parts = [
      'a[^1]',
      '[^1]: b',
      '[^2]: c\n    d',
      '[^3]',
      'x [^2] y',
      '[^1]',
      '    e',
      '- f[^1]',
      '> g[^2]',
      '<details>',
      '</details>',
    ];
    const some = fc
      .array(
        fc.tuple(fc.oneof(blocks, fc.constantFrom(...parts, ...parts)), fc.constantFrom('\n', '\n\n', '\n\n', ' ')),
        { maxLength: 12 },
      )
      .map((all) => all.flat().join(''));
    fc.assert(
      fc.property(some, cuts, (text, at) => {
        const whole = show(text).place;
        const place = grown(beginnings(text, at), text);
        expect(outline(place)).to.equal(outline(whole));
        place.remove();
        whole.remove();
      }),
      { numRuns: effort(60) },
    );
  }).timeout(60_000);
});
