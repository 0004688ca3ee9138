import { expect } from '@open-wc/testing';
import { SurfaceInput } from '../../../src/renderers/a2ui/surface-input.ts';

describe('the input of surfaces', () => {
  it('does not store a password after a surface whose id is the beginning of its own has begun again', () => {
    const input = new SurfaceInput();
    const surface = { id: 'a b' } as Parameters<SurfaceInput['setValue']>[0];
    const field = { type: 'TextField', kind: 'obscured', key: 'k', path: '/word' } as Parameters<
      SurfaceInput['setValue']
    >[1];
    input.setValue(surface, field, { value: 'tulip', messageCount: 1 });
    input.begin('a', 1);
    let stored: unknown;
    input.store({ read: () => undefined, write: (value) => (stored = value) });
    expect(stored).to.deep.include({ edits: [] });
  });
});
