import { expect } from '@open-wc/testing';
import { show } from '../support/show.ts';

describe('the blocks in an HTML element', () => {
  it('are in boxes, of which the last one may get more', () => {
    const paragraphs = Array.from({ length: 70 }, (_, index) => `Paragraph ${String(index)}`).join('\n\n');
    const { place } = show(`<div>\n\n${paragraphs}\n\n</div>`);
    const boxes = [...place.querySelectorAll('.part')];
    expect(boxes.map(({ className }) => className)).to.deep.equal(['part whole', 'part']);
    expect(boxes.map((box) => box.querySelectorAll('p').length)).to.deep.equal([32, 6]);
  });
});
