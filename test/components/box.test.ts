import { expect, waitUntil } from '@open-wc/testing';
import { asking, everyBlock } from '../../demo/scenes/blocks.ts';
import { button, find, has, inside, mount, type } from './support/mount.ts';

/** Source: the contract, section 2. */
const TOLD = new Set([
  'agent-chat-ready',
  'agent-chat-send',
  'agent-chat-event',
  'agent-chat-message',
  'agent-chat-error',
  'agent-chat-action',
  'agent-chat-link',
  'agent-chat-blocked',
  'agent-chat-feedback',
  'agent-chat-toggle',
  'agent-chat-draft',
  'agent-chat-consent',
  'agent-chat-thread-change',
  'agent-chat-state',
]);

describe('the widget in its box', () => {
  it('rule 8: what an agent writes stays in the widget’s box', async () => {
    const outside = () => [
      document.title,
      location.href,
      document.head.innerHTML.length,
      document.body.children.length,
    ];
    const { chat } = await mount();
    const before = outside();
    chat.messages = [...everyBlock, ...asking];
    await inside(chat, '.ask');
    expect(find(chat, '[part="transcript"]').closest('.chat')).not.to.equal(null);
    const panel = getComputedStyle(find(chat, '.panel'));
    expect(panel.overflow).to.match(/hidden|clip/);
    expect([panel.isolation, panel.contain].join(' ')).to.match(/isolate|paint|strict|content/);
    for (const element of chat.renderRoot.querySelectorAll('[part="transcript"] *')) {
      expect(getComputedStyle(element).position, element.outerHTML.slice(0, 80)).not.to.equal('fixed');
    }
    expect(has(chat, '[action], [formaction]')).to.equal(false);
    expect(document.activeElement).not.to.equal(chat);
    expect(outside()).to.deep.equal(before);
  });

  it('only the contract’s events leave it', async () => {
    const heard = new Set<string>();
    const hear = (event: Event): void => {
      // The platform's own are the reader's doing.
      if (
        !event.isTrusted &&
        event.composedPath().some((target) => target instanceof Element && target.localName === 'agent-chat')
      )
        heard.add(event.type);
    };
    const dispatched = new Set<string>();
    // (A method that is put back below.)
    const own = Object.getOwnPropertyDescriptor(EventTarget.prototype, 'dispatchEvent');
    const dispatch = own?.value as (this: EventTarget, event: Event) => boolean;
    EventTarget.prototype.dispatchEvent = function (event) {
      if (!dispatched.has(event.type)) document.addEventListener(event.type, hear);
      dispatched.add(event.type);
      return dispatch.call(this, event);
    };
    try {
      const { chat, agent } = await mount({ mode: 'floating', persist: 'none' });
      chat.show();
      chat.messages = [...everyBlock, ...asking];
      await inside(chat, '.ask');
      chat.messages = [];
      type(chat, 'Hello');
      await waitUntil(() => !button(chat, 'Send').disabled);
      button(chat, 'Send').click();
      await agent.heard(1);
      agent.hangUp();
      await waitUntil(() => chat.status === 'error' || chat.status === 'idle');
      chat.clear();
      chat.hide();
      await waitUntil(() => heard.has('agent-chat-toggle') && heard.has('agent-chat-send'));
    } finally {
      EventTarget.prototype.dispatchEvent = dispatch;
      for (const name of dispatched) document.removeEventListener(name, hear);
    }
    // What a test itself makes is no event of the widget's.
    heard.delete('input');
    expect([...heard].filter((name) => !TOLD.has(name))).to.deep.equal([]);
  });
});
