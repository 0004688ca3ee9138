import { expect, fixture, html } from '@open-wc/testing';
import { createLocalize } from '../../../src/locales/localize.ts';
import { defineOnce } from '../../../src/primitives/define-once.ts';
import { AgentChatPlayer } from '../../../src/primitives/media/player.ts';

defineOnce('agent-chat-player', AgentChatPlayer);

const localize = createLocalize('en');
const make = (kind: 'audio' | 'video', host?: string) =>
  fixture<AgentChatPlayer>(
    html`<agent-chat-player
      .kind=${kind}
      .src=${'data:,'}
      .label=${'Summary'}
      .host=${host}
      .localize=${localize}
    ></agent-chat-player>`,
  );

for (const kind of ['audio', 'video'] as const) {
  describe(`a media player for ${kind}`, () => {
    it('has the browser’s controls and a name, and never plays automatically', async () => {
      const media = (await make(kind)).querySelector(kind);
      expect([media?.controls, media?.autoplay, media?.getAttribute('aria-label'), media?.preload]).to.deep.equal([
        true,
        false,
        'Summary',
        'metadata',
      ]);
    });

    it('asks before it loads from a host', async () => {
      const element = await make(kind, 'a.example');
      expect(element.querySelector('audio, video')).to.equal(null);
      expect(element.textContent).to.contain('Media from a.example');
      element.querySelector('button')?.click();
      await element.updateComplete;
      expect(element.querySelector(kind)?.getAttribute('src')).to.equal('data:,');
    });

    for (const change of ['src', 'host'] as const) {
      it(`asks again when the agent replaces its ${change}`, async () => {
        const element = await make(kind, 'a.example');
        element.querySelector('button')?.click();
        await element.updateComplete;
        element[change] = change === 'src' ? 'data:,other' : 'b.example';
        await element.updateComplete;
        expect(element.querySelectorAll('audio, video')).to.have.length(0);
        element.querySelector('button')?.click();
        await element.updateComplete;
        expect(element.querySelector(kind)?.getAttribute('src')).to.equal(element.src);
      });
    }

    it('stays as it is when something else changes', async () => {
      const element = await make(kind, 'a.example');
      element.querySelector('button')?.click();
      await element.updateComplete;
      element.label = 'Other';
      await element.updateComplete;
      expect(element.querySelectorAll(kind)).to.have.length(1);
    });
  });
}
