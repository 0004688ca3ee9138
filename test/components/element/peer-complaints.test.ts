/**
 * Known complaints about chats of this kind that concern several components. The list with all tests is in
 * `docs/features.md`.
 */
import { expect, waitUntil } from '@open-wc/testing';
import { en } from '../../../src/locales/en.ts';
import { find, inside, mount } from '../support/mount.ts';

describe('known complaints', () => {
  it('a page can hand over its data, the user and the first question', async () => {
    const { chat, agent } = await mount({
      protocol: 'openai-chat',
      model: 'm',
      context: () => ({ page: '/orders/7', user: { id: 'u-1' } }),
      body: { tenant: 'kiel' },
    });
    void chat.send('Where is this order?');
    await waitUntil(() => agent.requests.length === 1, 'it goes out');
    const body = JSON.stringify(agent.requests[0]?.body);
    for (const fact of ['/orders/7', 'u-1', 'kiel', 'Where is this order?']) expect(body).to.contain(fact);
    const words = (await inside(chat, '.bubble')).textContent;
    expect(words.trim()).to.equal('Where is this order?');
  });

  it('no text stays English in another language', async () => {
    const { chat } = await mount({
      locale: 'de',
      heading: 'Hafen',
      attachments: '*',
      voice: 'both',
      feedback: 'comment',
    });
    chat.messages = [
      { role: 'user', text: 'Frage' },
      {
        role: 'assistant',
        blocks: [
          { type: 'reasoning_content', content: 'Gedanke', status: 'success' },
          { type: 'tool_call', status: 'success', tool_call: { id: 't', name: 'lies', params: '{}', response: '1' } },
          { type: 'content', content: 'Antwort\n\n```ts\nconst a = 1;\n```' },
          {
            type: 'action',
            action_type: 'tool_call_permission',
            content: 'Grund',
            status: 'pending',
            tool_call: { id: 'p', name: 'lies', params: '{"a":1}' },
          },
          { type: 'error', content: 'Fehler', status: 'error' },
        ],
      },
    ];
    await waitUntil(() => find(chat, '.chat').lang === 'de', 'the language comes');
    await inside(chat, '.ask .button');
    const english = new Set<unknown>(Object.values(en));
    const names = [...chat.renderRoot.querySelectorAll('*')].flatMap((element) => [
      ...['aria-label', 'title', 'placeholder'].map((attribute) => element.getAttribute(attribute) ?? ''),
      element.childElementCount === 0 ? element.textContent.trim() : '',
    ]);
    // Texts that are the same in both languages.
    const same = new Set([
      '',
      'Start',
      'Name',
      'Agent',
      'Version',
      'Code',
      'Text',
      'JSON',
      'CSV',
      'Tool',
      'Tools',
      'Plan',
    ]);
    expect(names.filter((name) => english.has(name) && !same.has(name))).to.deep.equal([]);
    expect(names).to.include('Einmal erlauben');
  });
});
