import { expect, waitUntil } from '@open-wc/testing';
import type { BlockOf } from '../../src/model/blocks.ts';
import { find, has, inside, mount, next, wordsOf } from '../components/support/mount.ts';
import { HOSTILE, named, showBlock, wordsIn } from './support/show.ts';

const permission = (more: Partial<BlockOf<'action'>> = {}) =>
  ({
    type: 'action',
    action_type: 'tool_call_permission',
    status: 'pending',
    content: 'To undo the double order.',
    tool_call: { id: 't', name: 'delete_order', params: '{"id":7,"why":"double"}' },
    extra: { toolName: 'delete_order', serverName: 'shop', permissionType: 'write' },
    ...more,
  }) as const;

const asking = (params: string) => ({
  type: 'response',
  data: {
    eventId: 'e',
    tool_call: 'permission-required',
    tool_call_id: 't',
    tool_call_params: params,
    permission_request: { toolName: 'delete_order', serverName: 'shop', permissionType: 'write', description: '' },
  },
});

describe('a permission', () => {
  it('asks by name who wants to do what, with the agent’s reason and the exact arguments', async () => {
    const { element } = await showBlock(permission());
    expect([element.getAttribute('role'), element.getAttribute('aria-label')]).to.deep.equal([
      'group',
      'Allow delete_order from shop?',
    ]);
    expect(wordsIn(element.querySelector('.because') ?? element)).to.equal(
      '“To undo the double order.”Reason given by Assistant',
    );
    expect([...element.querySelectorAll('dt, dd')].map(wordsIn)).to.deep.equal([
      'Access',
      'Write',
      'id',
      '7',
      'why',
      'double',
    ]);
  });

  for (const { settings, name } of [
    { settings: { heading: 'Orders' }, name: 'Orders' },
    { settings: { heading: 'Orders', participants: { assistant: { name: 'Ann' } } }, name: 'Ann' },
  ]) {
    it(`names ${name} where the page does`, async () => {
      const { chat, element } = await showBlock(permission(), { settings });
      expect(wordsIn(element)).to.contain(`Reason given by ${name}`);
      expect(find(chat, 'article').getAttribute('aria-label')).to.equal(name);
    });
  }

  it('takes no focus and preselects nothing; both answers are buttons', async () => {
    const { chat, element } = await showBlock(permission());
    expect((chat.renderRoot as ShadowRoot).activeElement).to.equal(null);
    const buttons = [...element.querySelectorAll<HTMLButtonElement>('button')];
    expect(buttons.map(wordsIn)).to.deep.equal(['Allow once', 'Deny']);
    expect(buttons.every((button) => button.type === 'button' && button.tabIndex === 0)).to.equal(true);
  });

  it('a long argument is whole one press away', async () => {
    const value = 'line one\n'.repeat(20);
    const { element } = await showBlock(
      permission({ tool_call: { id: 't', name: 'f', params: JSON.stringify({ body: value }) } }),
    );
    const details = element.querySelector('details');
    details?.querySelector('summary')?.click();
    await waitUntil(() => details?.open);
    expect(details?.querySelector('pre')?.textContent).to.equal(value);
  });

  it('arguments that are no object are shown as they are', async () => {
    const { element } = await showBlock(permission({ tool_call: { id: 't', name: 'f', params: 'rm -rf' } }));
    expect([...element.querySelectorAll('dt, dd')].map(wordsIn)).to.deep.equal([
      'Access',
      'Write',
      'Arguments',
      'rm -rf',
    ]);
  });

  it('without server, reason and arguments still asks', async () => {
    const { element } = await showBlock({
      type: 'action',
      action_type: 'tool_call_permission',
      status: 'pending',
      tool_call: { name: 'f' },
    });
    expect(element.getAttribute('aria-label')).to.equal('Allow f?');
    expect(element.querySelector('dl, .because')).to.equal(null);
  });

  for (const [name, action] of [
    ['Allow once', 'granted'],
    ['Deny', 'denied'],
  ] as const) {
    it(`“${name}” tells the page of “${action}” with the block that was shown`, async () => {
      const { chat, element } = await showBlock(permission());
      const told = next(chat, 'agent-chat-action');
      named(element, name).click();
      const { detail } = await told;
      expect(detail.action).to.equal(action);
      expect(detail.block).to.equal(chat.messages[0]?.blocks[0]);
    });
  }

  const answered = [
    { status: 'granted', words: /^delete_order allowed, \d\d:\d\d/ },
    { status: 'denied', words: /^delete_order denied, \d\d:\d\d/ },
    { status: 'cancel', words: /^delete_order: no longer asked$/ },
  ] as const;
  for (const { status, words } of answered) {
    it(`${status} is one line without buttons`, async () => {
      const { element } = await showBlock(permission({ status }));
      expect(wordsIn(element)).to.match(words);
      expect(element.querySelector('button')).to.equal(null);
    });
  }

  it('in a reply: granted, it is answered in place and the focus is not lost', async () => {
    const { chat, agent } = await mount({ protocol: 'deepchat-events' });
    void chat.send('Delete it');
    await agent.heard(1);
    agent.say(asking('{"id":7}'), { type: 'end', data: { eventId: 'e', userStop: false } });
    agent.hangUp();
    const card = await inside(chat, '.ask');
    named(card, 'Allow once').focus();
    named(card, 'Allow once').click();
    await waitUntil(() => wordsOf(chat).includes('delete_order allowed'));
    expect(has(chat, '.ask')).to.equal(false);
    await waitUntil(() => (chat.renderRoot as ShadowRoot).activeElement !== null);
  });

  it('is bound to the arguments shown: with others it is asked anew, and the old buttons are gone', async () => {
    const { chat, agent } = await mount({ protocol: 'deepchat-events' });
    void chat.send('Delete it');
    await agent.heard(1);
    agent.say(asking('{"id":7}'));
    const old = named(await inside(chat, '.ask'), 'Allow once');
    agent.say(asking('{"id":8}'));
    await waitUntil(() => wordsOf(chat).includes('no longer asked'));
    expect(chat.renderRoot.querySelectorAll('.ask').length).to.equal(1);
    expect(wordsIn(find(chat, '.ask dl')))
      .to.contain('id 8')
      .and.not.to.contain('7');
    old.click();
    expect(chat.messages.at(-1)?.blocks.map(({ status }) => status)).to.deep.equal(['cancel', 'pending']);
    chat.stop();
  });

  it('hostile names, reasons and arguments are text, and turn no words round', async () => {
    const { chat, element } = await showBlock(
      permission({
        content: `\u202E${HOSTILE}`,
        tool_call: { id: 't', name: `\u202E${HOSTILE}`, params: JSON.stringify({ [HOSTILE]: `\u202E${HOSTILE}` }) },
        extra: { serverName: HOSTILE },
      }),
      { message: { name: 'Ann\u202Egpj' } },
    );
    expect(element.getAttribute('aria-label')).to.equal(`Allow ${HOSTILE} from ${HOSTILE}?`);
    expect(wordsIn(element)).to.contain('Reason given by Anngpj').and.not.to.contain('\u202E');
    expect([...element.querySelectorAll('dt, dd')].map(wordsIn)).to.deep.equal([HOSTILE, HOSTILE]);
    expect(has(chat, 'agent-chat-message img')).to.equal(false);
  });

  it('a whole value behind its press turns no words round either', async () => {
    const value = `\u202E${'x'.repeat(80)}`;
    const { element } = await showBlock(
      permission({ tool_call: { id: 't', name: 'f', params: JSON.stringify({ body: value }) } }),
    );
    expect(element.querySelector('pre')?.textContent).to.equal('x'.repeat(80));
  });
});
