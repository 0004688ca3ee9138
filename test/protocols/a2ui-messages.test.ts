import { expect } from '@open-wc/testing';
import { a2uiMessages, collectSurfaces } from '../../src/protocols/shared/a2ui-messages.ts';

const create = (surfaceId: string) => ({ createSurface: { surfaceId } });
const update = (surfaceId: string, words: string) => ({ updateComponents: { surfaceId, components: [words] } });

describe('A2UI inside another stream', () => {
  for (const [name, value, expected] of [
    ['one message', create('a'), [create('a')]],
    ['a list', [create('a'), update('a', 'x')], [create('a'), update('a', 'x')]],
    ['AG-UI’s list', { a2ui_operations: [create('a')] }, [create('a')]],
    ['a list by its plain name', { messages: [create('a')] }, [create('a')]],
    ['an empty list', { a2ui_operations: [] }, []],
    ['something else', { surface: 1 }, undefined],
    ['words', 'x', undefined],
    ['a list with other things in it', [7, null, create('a')], [create('a')]],
  ] as const) {
    it(name, () => {
      expect(a2uiMessages(value)).to.deep.equal(expected);
    });
  }

  it('merges a surface from several places, and shows a repeated one once', () => {
    const collect = collectSurfaces();
    const shown = (surface: string, ...messages: object[]) => ({
      ui: { kind: 'a2ui', messages },
      data_id: `surface ${surface}`,
    });
    expect(collect('1', [create('a'), create('b')])).to.deep.equal([shown('a', create('a')), shown('b', create('b'))]);
    expect(collect('2', [update('a', 'x')])).to.deep.equal([shown('a', create('a'), update('a', 'x'))]);
    expect(collect('2', [update('a', 'y')])).to.deep.equal([shown('a', create('a'), update('a', 'y'))]);
  });
});
