import { expect, waitUntil } from '@open-wc/testing';
import { asking, everyBlock } from '../../../demo/scenes/blocks.ts';
import { button, find, has, inside, mount, type } from '../support/mount.ts';

/** The public events of the widget. */
const PUBLIC_EVENTS = new Set([
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

  it('emits only the documented events', async () => {
    const emitted = new Set<string>();
    const hear = (event: Event): void => {
      // Trusted events are those of the user.
      if (
        !event.isTrusted &&
        event.composedPath().some((target) => target instanceof Element && target.localName === 'agent-chat')
      )
        emitted.add(event.type);
    };
    const dispatched = new Set<string>();
    // The method is restored below.
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
      await waitUntil(() => emitted.has('agent-chat-toggle') && emitted.has('agent-chat-send'));
    } finally {
      EventTarget.prototype.dispatchEvent = dispatch;
      for (const name of dispatched) document.removeEventListener(name, hear);
    }
    // The test itself makes this event.
    emitted.delete('input');
    expect([...emitted].filter((name) => !PUBLIC_EVENTS.has(name))).to.deep.equal([]);
  });
});
