import { expect } from '@open-wc/testing';
import { english } from '../../../src/locales/localize.ts';
import { buildTree } from '../../../src/renderers/a2ui/read/build-tree.ts';
import { readSurfaces } from '../../../src/renderers/a2ui/read/read-messages.ts';
import { findNode } from '../../../src/renderers/a2ui/read/walk-tree.ts';
import { redactPress } from '../../../src/renderers/a2ui/redact-press.ts';
import { SurfaceInput } from '../../../src/renderers/a2ui/surface-input.ts';
import { components, create, text } from '../support/surfaces.ts';

describe('a redacted press', () => {
  it('rule 121: has the name of the action and no values if its button is gone with the input', () => {
    const action = { event: { name: 'pay', context: { card: { path: '/card' } } } };
    const [surface] = readSurfaces([
      create('s', { dataModel: { card: '4111' }, sendDataModel: true }),
      components([{ id: 'root', component: 'Button', child: 'l', action }, text('l', { path: '/card' })]),
    ]);
    const { root } = buildTree(surface!, { locale: 'en' });
    const node = findNode(root!, '/root');
    if (!surface || !root || node?.type !== 'Button') return expect.fail('The surface has a button.');
    const input = new SurfaceInput();
    input.setValue(surface, { ...node, path: '/card' }, { value: '4111', messageCount: 2 });
    const build = () => ({ root: undefined, isTruncated: false });
    const redaction = redactPress({ built: { surface, root }, node, input, build, localize: english, messageCount: 2 });
    expect(redaction(() => '#')).to.deep.equal({ text: 'pay', values: { context: {}, dataModel: { card: '#' } } });
  });
});
