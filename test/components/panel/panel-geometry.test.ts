import { expect } from '@open-wc/testing';
import { moveRect, mergePosition, resizeRect, type PanelRect } from '../../../src/components/panel/panel-geometry.ts';

const view = { width: 1000, height: 800 };
const box: PanelRect = { left: 576, top: 100, width: 400, height: 600 };

describe('the geometry of a panel', () => {
  const moves = [
    { name: 'moves with the pointer', by: [-100, 50], gives: [476, 150] },
    { name: 'stays in the window at the left and at the top', by: [-2000, -2000], gives: [8, 8] },
    { name: 'stays in the window at the right and at the bottom', by: [2000, 2000], gives: [592, 192] },
  ] as const;
  for (const { name, by, gives } of moves) {
    it(name, () => {
      const { left, top, width, height } = moveRect(box, by[0], by[1], view);
      expect([left, top]).to.deep.equal(gives);
      expect([width, height]).to.deep.equal([400, 600]);
    });
  }

  const pulls = [
    { name: 'the left edge resizes one side', edge: 'w', by: [-50, 30], gives: [526, 100, 450, 600] },
    { name: 'a corner resizes two sides', edge: 'nw', by: [-50, -30], gives: [526, 70, 450, 630] },
    { name: 'the opposite corner resizes the other two', edge: 'se', by: [10, 20], gives: [576, 100, 410, 620] },
    { name: 'no edge leaves the window', edge: 'ne', by: [900, -900], gives: [576, 8, 416, 692] },
    {
      name: 'no panel is narrower than 280 or lower than 320',
      edge: 'nw',
      by: [900, 900],
      gives: [696, 380, 280, 320],
    },
  ] as const;
  for (const { name, edge, by, gives } of pulls) {
    it(name, () => {
      const { left, top, width, height } = resizeRect(box, edge, by[0], by[1], view);
      expect([left, top, width, height]).to.deep.equal(gives);
    });
  }

  it('is placed at the start of a window that is too small', () => {
    expect(moveRect(box, 0, 0, { width: 300, height: 300 })).to.include({ left: 8, top: 8 });
  });

  it('stores only changed values, relative to the panel’s corner', () => {
    expect(mergePosition(moveRect(box, -100, 0, view), box, 'right', view, {})).to.deep.equal({ inline: 124 });
    expect(mergePosition(moveRect(box, -100, 0, view), box, 'left', view, {})).to.deep.equal({ inline: 476 });
    expect(mergePosition(resizeRect(box, 'nw', -50, -30, view), box, 'right', view, { inline: 24 })).to.deep.equal({
      inline: 24,
      width: 450,
      height: 630,
    });
  });
});
