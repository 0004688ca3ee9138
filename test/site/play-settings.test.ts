import { expect } from '@open-wc/testing';
import { readSettings, restore } from '../../site/client/play-settings.ts';

/** The playground's form, as far as further attributes have to do with it, as a link leaves it. */
function formOf(more: string): HTMLFormElement {
  const form = document.createElement('form');
  for (const name of ['more', 'endpoint', 'protocol'])
    form.append(Object.assign(document.createElement('input'), { name }));
  restore(form, `#${new URLSearchParams({ more }).toString()}`);
  return form;
}

describe('a link to the playground', () => {
  it('sets how the widget looks and what it says', () => {
    const { attributes, leftOut } = readSettings(formOf('heading="Harbor" readonly math="on"'));
    expect(attributes).to.deep.equal({ heading: 'Harbor', readonly: '', math: 'on' });
    expect(leftOut).to.deep.equal([]);
  });

  for (const name of [
    ...['endpoint', 'protocol', 'credentials', 'image-hosts', 'link-hosts', 'page-tools', 'retry', 'agent', 'agents'],
    ...['persist', 'thread-id', 'history', 'listen', 'poll', 'voice', 'consent', 'attachments', 'demo', 'autofocus'],
    ...['onclick', 'onfocus', 'onmouseover', 'style', 'class', 'id', 'slot', 'is', 'popover', 'tabindex', 'open'],
  ]) {
    it(`does not set ${name}`, () => {
      const { attributes, leftOut } = readSettings(formOf(`${name}="https://elsewhere.example/" heading="x"`));
      expect(attributes).to.deep.equal({ heading: 'x' });
      expect(leftOut).to.deep.equal([name]);
    });
  }

  it('leaves the source and its endpoint to whoever presses Play', () => {
    const { source, endpoint } = readSettings(formOf('source="endpoint" endpoint="https://elsewhere.example/"'));
    expect([source, endpoint]).to.deep.equal(['ours', '']);
  });
});
