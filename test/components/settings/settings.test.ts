import { expect, fixture, html } from '@open-wc/testing';
import { define, type AgentChat } from '../../../src/define.ts';
import { warningsOf } from '../support/mount.ts';

define();

function withConfig(config: string, attributes: Readonly<Record<string, string>> = {}): Promise<AgentChat> {
  const chat = document.createElement('agent-chat');
  for (const [name, value] of Object.entries(attributes)) chat.setAttribute(name, value);
  const script = document.createElement('script');
  script.type = 'application/json';
  script.slot = 'config';
  script.textContent = config;
  chat.append(script);
  return fixture(chat);
}

describe('settings', () => {
  it('have their defaults', async () => {
    const chat = await fixture<AgentChat>(html`<agent-chat></agent-chat>`);
    expect(chat.mode).to.equal('inline');
    expect(chat.colorScheme).to.equal('auto');
    expect(chat.artifacts).to.equal('frame');
    expect(chat.endpoint).to.equal(undefined);
    expect(chat.status).to.equal('idle');
    expect(chat.getAttribute('status')).to.equal('idle');
    expect(chat.messages).to.deep.equal([]);
  });

  it('a script wins over an attribute, an attribute over the JSON', async () => {
    const chat = await withConfig('{"heading": "from JSON", "placeholder": "from JSON", "greeting": "from JSON"}', {
      placeholder: 'from attribute',
      greeting: 'from attribute',
    });
    chat.greeting = 'from script';
    expect(chat.heading).to.equal('from JSON');
    expect(chat.placeholder).to.equal('from attribute');
    expect(chat.greeting).to.equal('from script');
    chat.setAttribute('greeting', 'from attribute, later');
    expect(chat.greeting).to.equal('from script');
    chat.setAttribute('heading', 'from attribute');
    expect(chat.heading).to.equal('from attribute');
  });

  it('a source without a value uncovers the next one', async () => {
    const chat = await withConfig('{"heading": "from JSON", "mode": "sidebar", "disabled": true}', {
      heading: 'from attribute',
      mode: 'floating',
      greeting: 'from attribute',
      'show-tools': 'open',
    });
    chat.heading = 'from script';
    chat.heading = undefined;
    expect(chat.heading).to.equal('from attribute');
    for (const name of ['heading', 'mode', 'greeting', 'show-tools']) chat.removeAttribute(name);
    await chat.updateComplete;
    expect(chat.heading).to.equal('from JSON');
    expect(chat.greeting).to.equal(undefined);
    expect(chat.showTools, 'the default, not the first of its words').to.equal(undefined);
    expect(chat.getAttribute('mode'), 'the sheets look at it').to.equal('sidebar');
    chat.setAttribute('disabled', '');
    chat.removeAttribute('disabled');
    expect(chat.disabled).to.equal(true);
  });

  it('a removed attribute leaves the value set by a script', async () => {
    const chat = await withConfig('{"heading": "from JSON"}', { heading: 'from attribute' });
    chat.heading = 'from script';
    chat.removeAttribute('heading');
    expect(chat.heading).to.equal('from script');
  });

  it('the JSON accepts names in both spellings, and unknown names are reported', async () => {
    let chat: AgentChat | undefined;
    const warnings = await warningsOf(async () => {
      chat = await withConfig('{"color-scheme": "dark", "showTools": "open", "colour": "red"}');
    });
    expect(chat?.colorScheme).to.equal('dark');
    expect(chat?.showTools).to.equal('open');
    expect(warnings).to.deep.equal(['<agent-chat>: the configuration has an unknown setting "colour".']);
  });

  it('invalid JSON is reported, and the defaults stay', async () => {
    let chat: AgentChat | undefined;
    const warnings = await warningsOf(async () => {
      chat = await withConfig('{heading: 1}');
    });
    expect(chat?.heading).to.equal(undefined);
    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.contain('the configuration is not JSON');
  });

  it('an invalid attribute value is reported once, and the default is used', async () => {
    const warnings = await warningsOf(async () => {
      const one = await fixture<AgentChat>(html`<agent-chat mode="flaoting"></agent-chat>`);
      const other = await fixture<AgentChat>(html`<agent-chat mode="flaoting"></agent-chat>`);
      expect([one.mode, other.mode]).to.deep.equal(['inline', 'inline']);
    });
    expect(warnings).to.deep.equal([
      '<agent-chat>: mode="flaoting" is not one of inline, floating, sidebar, fullscreen; "inline" is used.',
    ]);
  });

  it('an invalid number is reported, and the default is used', async () => {
    const warnings = await warningsOf(async () => {
      const chat = await fixture<AgentChat>(html`<agent-chat max-tool-rounds="many"></agent-chat>`);
      expect(chat.maxToolRounds).to.equal(undefined);
    });
    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.contain('max-tool-rounds="many" is not an integer of at least 1');
  });

  it('an invalid value from a script is reported when it is used', async () => {
    const warnings = await warningsOf(async () => {
      const chat = await fixture<AgentChat>(html`<agent-chat></agent-chat>`);
      Object.assign(chat, { showTools: 'sometimes' });
      await chat.updateComplete;
    });
    expect(warnings).to.deep.equal([
      '<agent-chat>: showTools = "sometimes" is not one of collapsed, open, hidden; "collapsed" is used.',
    ]);
  });

  it('suggestions are read from a JSON attribute', async () => {
    const chat = await fixture<AgentChat>(html`<agent-chat suggestions='["One", "Two"]'></agent-chat>`);
    expect(chat.suggestions).to.deep.equal(['One', 'Two']);
  });

  it('values set before the definition are kept', async () => {
    const early = await fixture<AgentChat>(html`<early-chat></early-chat>`);
    Object.assign(early, { heading: 'Early', messages: [{ role: 'user', text: 'Hello' }] });
    define('early-chat');
    await early.updateComplete;
    expect(early.heading).to.equal('Early');
    expect(early.messages).to.have.length(1);
    expect(early.messages[0]?.status).to.equal('complete');
    expect(Object.hasOwn(early, 'heading')).to.equal(false);
    expect(Object.hasOwn(early, 'messages')).to.equal(false);
  });

  it('the user’s changes hold until the page sets another value', async () => {
    const chat = await fixture<AgentChat>(html`<agent-chat mode="floating"></agent-chat>`);
    chat.open = true;
    chat.hide();
    expect(chat.open).to.equal(false);
    await chat.updateComplete;
    chat.setAttribute('open', '');
    expect(chat.open).to.equal(true);
    chat.hide();
    chat.open = true;
    expect(chat.open).to.equal(true);
    await chat.updateComplete;
    chat.hide();
    await chat.updateComplete;
    expect(chat.hasAttribute('open')).to.equal(false);
    chat.show();
    await chat.updateComplete;
    chat.removeAttribute('open');
    expect(chat.open, 'the page has the last word').to.equal(false);
  });
});

describe('define()', () => {
  it('registers the widget under other names, as subclasses', () => {
    define('support-chat');
    const support = document.createElement('support-chat');
    expect(support).to.be.instanceOf(customElements.get('agent-chat'));
  });

  it('does nothing for a name that is taken, and reports one that is taken by another element', async () => {
    customElements.define('other-chat', class extends HTMLElement {});
    const warnings = await warningsOf(() => {
      define();
      define('other-chat');
    });
    expect(warnings).to.deep.equal(['<other-chat> is already defined; this copy of agent-chat-element does nothing.']);
  });
});
