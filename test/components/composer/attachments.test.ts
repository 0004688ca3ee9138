import { aTimeout, expect, oneEvent, waitUntil } from '@open-wc/testing';
import { DraftAttachments } from '../../../src/components/composer/draft-attachments.ts';
import type { AgentChat } from '../../../src/define.ts';
import { defaultLimits } from '../../../src/runtime/limits.ts';
import { button, find, has, inside, mount, type } from '../support/mount.ts';
import { PIXEL } from '../../support/pixel.ts';

const note = (words: string, name = 'notes.txt'): File => new File([words], name, { type: 'text/plain' });

function choose(chat: AgentChat, ...files: readonly File[]): void {
  const input = find<HTMLInputElement>(chat, 'input[type="file"]');
  const transfer = new DataTransfer();
  for (const file of files) transfer.items.add(file);
  input.files = transfer.files;
  input.dispatchEvent(new Event('change'));
}

function holding(...files: readonly File[]): DataTransfer {
  const transfer = new DataTransfer();
  for (const file of files) transfer.items.add(file);
  return transfer;
}

const send = (chat: AgentChat): HTMLButtonElement => find(chat, '[part="send-button"]');
const ready = (chat: AgentChat): Promise<Element> => inside(chat, '.draft-file.ready');

const pressEnter = (input: Element): boolean =>
  input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));

describe('attaching files', () => {
  it('is offered only when the page enables it', async () => {
    const { chat } = await mount();
    expect(has(chat, '[part="attach-button"]')).to.equal(false);
    chat.attachments = 'image/*,.pdf';
    await inside(chat, '[part="attach-button"]');
    expect(find<HTMLInputElement>(chat, 'input[type="file"]').accept).to.equal('image/*,.pdf');
  });

  it('sends a chosen file with the text, and shows it in the message', async () => {
    const { chat, agent } = await mount({ attachments: '*' });
    await chat.updateComplete;
    choose(chat, note('Hello'));
    await ready(chat);
    type(chat, 'What is in it?');
    await inside(chat, '[part="send-button"]:enabled');
    send(chat).click();
    await agent.heard(1);
    const [message] = chat.messages;
    expect(message?.blocks.map((block) => block.type)).to.deep.equal(['content', 'file']);
    expect(message?.blocks[1]).to.include({ name: 'notes.txt', mimeType: 'text/plain', data: btoa('Hello') });
    expect(has(chat, '.draft-file')).to.equal(false);
    agent.end('Hello.');
  });

  it('sends a file without text', async () => {
    const { chat, agent } = await mount({ attachments: '*' });
    await chat.updateComplete;
    expect(send(chat).disabled).to.equal(true);
    choose(chat, note('Hello'));
    await ready(chat);
    send(chat).click();
    await agent.heard(1);
    expect(chat.messages[0]?.blocks).to.have.length(1);
    agent.end('Hello.');
  });

  it('attaches pasted and dropped files, but not an image pasted with text', async () => {
    const { chat } = await mount({ attachments: '*' });
    await chat.updateComplete;
    const paste = (data: DataTransfer): boolean => {
      const event = new ClipboardEvent('paste', { bubbles: true, cancelable: true });
      // Firefox ignores files that are passed to the event's constructor.
      Object.defineProperty(event, 'clipboardData', { value: data });
      return find(chat, '[part="input"]').dispatchEvent(event);
    };
    expect(paste(holding(note('pasted', 'pasted.txt')))).to.equal(false);
    await waitUntil(() => chat.renderRoot.querySelectorAll('.draft-file').length === 1);
    const both = holding(note('table', 'table.txt'));
    both.setData('text/plain', 'a table');
    expect(paste(both)).to.equal(true);
    const panel = find(chat, '.panel');
    const drag = (kind: string, dataTransfer: DataTransfer): boolean =>
      panel.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }));
    expect(drag('dragover', holding(note('dropped', 'dropped.txt')))).to.equal(false);
    expect(panel.dataset['drop']).to.equal('Drop files here');
    drag('drop', holding(note('dropped', 'dropped.txt')));
    expect(panel.dataset['drop']).to.equal(undefined);
    await waitUntil(() => chat.renderRoot.querySelectorAll('.draft-file').length === 2);
  });

  it('leaves dropped files to a page without attachments', async () => {
    const { chat } = await mount();
    const over = new DragEvent('dragover', { dataTransfer: holding(note('x')), bubbles: true, cancelable: true });
    expect(find(chat, '.panel').dispatchEvent(over)).to.equal(true);
  });

  it('sends the message when its upload is complete', async () => {
    const uploaded = Promise.withResolvers<{ kind: 'file'; url: string }>();
    const { chat, agent } = await mount({ attachments: '*', upload: () => uploaded.promise });
    await chat.updateComplete;
    choose(chat, note('Hello'));
    await inside(chat, '.draft-file.uploading');
    send(chat).click();
    await inside(chat, '.composer-line');
    expect(find(chat, '.composer-line').textContent).to.equal('Sends as soon as the files are ready.');
    expect(chat.messages).to.deep.equal([]);
    uploaded.resolve({ kind: 'file', url: 'https://files.example/1' });
    await agent.heard(1);
    expect(chat.messages[0]?.blocks[0]).to.include({ type: 'file', url: 'https://files.example/1' });
    agent.end('Hello.');
  });

  for (const text of ['What is in it?', ''])
    it(`sends a file chosen just before Enter, while its code loads, ${text ? 'with the text' : 'without text'}`, async () => {
      const { chat, agent } = await mount({ attachments: '*' });
      await chat.updateComplete;
      choose(chat, note('Hello'));
      pressEnter(type(chat, text));
      await agent.heard(1);
      const types = chat.messages[0]?.blocks.map((block) => block.type);
      expect(types).to.deep.equal(text ? ['content', 'file'] : ['file']);
      agent.end('Hello.');
      await waitUntil(() => chat.status === 'idle');
      expect([has(chat, '.draft-file'), has(chat, '.composer-line'), agent.requests.length]).to.deep.equal([
        false,
        false,
        1,
      ]);
    });

  it('does not send the text if a file chosen just before Enter is rejected; it needs another press', async () => {
    const { chat, agent } = await mount({ attachments: 'text/*' });
    await chat.updateComplete;
    choose(chat, new File(['x'], 'a.exe', { type: 'application/x-dos' }));
    const input = type(chat, 'Look');
    pressEnter(input);
    await inside(chat, '.draft-refused');
    expect([agent.requests.length, input.value, has(chat, '.composer-line')]).to.deep.equal([0, 'Look', false]);
    pressEnter(input);
    await agent.heard(1);
    agent.end('Yes.');
  });

  it('does not send the text if a file is refused while it is read, and says why; it needs another press', async () => {
    const { chat, agent } = await mount({ attachments: '*' });
    choose(chat, new File(['no image'], 'a.jpg', { type: 'image/jpeg' }));
    const input = type(chat, 'Look');
    pressEnter(input);
    expect((await inside(chat, '.draft-refused')).textContent).to.contain('a.jpg');
    expect([agent.requests.length, input.value, has(chat, '.composer-line')]).to.deep.equal([0, 'Look', false]);
    pressEnter(input);
    await agent.heard(1);
    agent.end('Yes.');
  });

  it('does not send the text if the page disables attachments while their code loads, and says so', async () => {
    const { chat, agent } = await mount({ attachments: '*' });
    choose(chat, note('Hello'));
    const input = type(chat, 'Look');
    pressEnter(input);
    chat.attachments = undefined;
    expect((await inside(chat, '.draft-refused')).textContent).to.contain('notes.txt');
    expect([agent.requests.length, input.value, has(chat, '.composer-line')]).to.deep.equal([0, 'Look', false]);
    pressEnter(input);
    await agent.heard(1);
    expect(chat.messages[0]?.blocks.map((block) => block.type)).to.deep.equal(['content']);
    agent.end('Yes.');
  });

  it('reports the error of the page’s upload function by its name', async () => {
    const upload = () => Promise.reject(new Error('500'));
    const { chat } = await mount({ attachments: '*', upload });
    const reported = oneEvent(chat, 'agent-chat-error') as Promise<CustomEvent<{ readonly message: string }>>;
    choose(chat, note('Hello'));
    expect((await reported).detail.message).to.equal('The page’s function `upload` failed: 500');
  });

  it('ends the wait when the only file is removed', async () => {
    const { chat, agent } = await mount({ attachments: '*', upload: () => new Promise(() => undefined) });
    await chat.updateComplete;
    choose(chat, note('Hello'));
    await inside(chat, '.draft-file.uploading');
    send(chat).click();
    await inside(chat, '.composer-line');
    button(chat, 'Remove notes.txt').click();
    await waitUntil(() => !has(chat, '.composer-line'));
    expect(agent.requests.length).to.equal(0);
  });

  for (const [name, leave] of [
    ['another conversation is opened', (chat: AgentChat) => chat.newThread()],
    [
      'the conversation is cleared',
      (chat: AgentChat) => {
        chat.clear();
      },
    ],
  ] as const)
    it(`does not send the message that waits for its upload after ${name}; the files need another press`, async () => {
      const uploaded = Promise.withResolvers<{ kind: 'file'; url: string }>();
      const { chat, agent } = await mount({
        attachments: '*',
        persist: 'session',
        storage: { user: 'waiting files' },
        upload: () => uploaded.promise,
      });
      const first = await chat.newThread();
      choose(chat, note('Hello'));
      await inside(chat, '.draft-file.uploading');
      type(chat, 'For the first');
      await waitUntil(() => Object.keys(sessionStorage).some((key) => key.includes(`draft ${first}`)));
      send(chat).click();
      await inside(chat, '.composer-line');
      await leave(chat);
      await waitUntil(() => !has(chat, '.composer-line'));
      uploaded.resolve({ kind: 'file', url: 'https://files.example/1' });
      await ready(chat);
      expect([agent.requests.length, chat.messages.length]).to.deep.equal([0, 0]);
      if (name.includes('opened')) {
        await chat.openThread(first);
        const input = find<HTMLTextAreaElement>(chat, '[part="input"]');
        await waitUntil(() => input.value === 'For the first');
      }
      send(chat).click();
      await agent.heard(1);
      expect(chat.messages[0]?.blocks.map((block) => block.type)).to.deep.equal(['content', 'file']);
      agent.end('Yes.');
    });

  it('reports rejected files once, and sends the others', async () => {
    const { chat, agent } = await mount({ attachments: 'text/*', limits: { attachments: 2 } });
    await chat.updateComplete;
    const wrong = new File(['x'], 'a.exe', { type: 'application/x-dos' });
    choose(
      chat,
      wrong,
      note('1', '1.txt'),
      note('2', '2.txt'),
      note('3', '3.txt'),
      note('4', '4.txt'),
      note('', 'no.txt'),
    );
    await waitUntil(() => chat.renderRoot.querySelectorAll('.draft-file.ready').length === 2);
    expect(find(chat, '.draft-refused').textContent).to.equal(
      'a.exe: This file type isn’t supported. 3.txt, 4.txt: No more than 2 files no.txt: The file is empty.',
    );
    expect(chat.renderRoot.querySelectorAll('.composer-area [role="alert"], .draft-file.failed').length).to.be.below(2);
    type(chat, 'Look');
    await inside(chat, '[part="send-button"]:enabled');
    send(chat).click();
    await agent.heard(1);
    expect(chat.messages[0]?.blocks.map((block) => block.type)).to.deep.equal(['content', 'file', 'file']);
    await waitUntil(() => !has(chat, '.draft-refused'));
    agent.end('Yes.');
  });

  it('keeps a failed upload until the user retries or removes it', async () => {
    const upload = () => Promise.reject(new Error('500'));
    const { chat, agent } = await mount({ attachments: '*', upload });
    await chat.updateComplete;
    choose(chat, note('Hello'));
    await inside(chat, '.draft-file.failed');
    expect(find(chat, '.draft-file [role="alert"]').textContent).to.equal('The upload failed.');
    type(chat, 'Look');
    await inside(chat, '[part="send-button"]:enabled');
    send(chat).click();
    await inside(chat, '.composer-line');
    expect(chat.messages).to.deep.equal([]);
    button(chat, 'Remove notes.txt').click();
    await waitUntil(() => !has(chat, '.draft-file'));
    send(chat).click();
    await agent.heard(1);
    agent.end('Yes.');
  });

  it('restores text and files that could not be sent', async () => {
    const { chat } = await mount({ attachments: '*', endpoint: undefined, limits: { inputLength: 3 } });
    await chat.updateComplete;
    choose(chat, note('Hello'));
    await ready(chat);
    type(chat, 'Too long');
    await inside(chat, '[part="send-button"]:enabled');
    send(chat).click();
    await inside(chat, '.problem');
    await ready(chat);
    expect(find<HTMLTextAreaElement>(chat, '[part="input"]').value).to.equal('Too long');
  });

  it('removes the files when the user changes', async () => {
    const { chat } = await mount({ attachments: '*', storage: { user: 'anna' } });
    await chat.updateComplete;
    choose(chat, note('Hello'));
    await ready(chat);
    const { messages } = chat;
    chat.addMessage({ role: 'user', text: 'Hi' });
    chat.storage = { user: 'ben' };
    await waitUntil(() => !has(chat, '.draft-file'), 'the files go', { timeout: 10_000 });
    expect(messages).to.deep.equal([]);
  });

  it('does not put files that wait for consent into the composer of the next user', async () => {
    const storage = (user: string) => ({ user: `files ${user}` });
    const { chat, agent } = await mount({ attachments: '*', consent: 'Terms', storage: storage('anna') });
    choose(chat, note('Hello'));
    await ready(chat);
    type(chat, 'Mine');
    await inside(chat, '[part="send-button"]:enabled');
    send(chat).click();
    await inside(chat, 'dialog.consent');
    chat.storage = storage('ben');
    await waitUntil(() => !has(chat, 'dialog.consent'));
    await aTimeout(50);
    expect([has(chat, '.draft-file'), agent.requests.length]).to.deep.equal([false, 0]);
  });

  it('does not add files to a draft that was cleared while their code was loading', async () => {
    const attachSettings = () => ({ accept: '*', limits: defaultLimits });
    const nothing = (): void => undefined;
    const files = new DraftAttachments({
      root: document,
      attachSettings,
      changed: nothing,
      cancelSend: nothing,
      failed: nothing,
    });
    const added = files.add([note('Hello')]);
    files.clear();
    expect([files.isEmpty, files.busy]).to.deep.equal([true, false]);
    await added;
    expect([files.isEmpty, files.busy]).to.deep.equal([true, false]);
    await files.add([note('Hello')]);
    expect(files.isEmpty).to.equal(false);
  });

  it('shows a queued message without text by the names of its files', async () => {
    const { chat, agent } = await mount({ attachments: '*' });
    const first = chat.send('One');
    await agent.heard(1);
    void chat.send({
      text: '',
      attachments: [
        { kind: 'file', name: 'a.txt', data: btoa('a'), mimeType: 'text/plain' },
        { kind: 'image', data: PIXEL, mimeType: 'image/png' },
      ],
    });
    expect((await inside(chat, '.queue .text')).textContent).to.equal('a.txt, image/png');
    find<HTMLButtonElement>(chat, '.queue [aria-label="Remove from queue"]').click();
    agent.end('First.');
    await first;
  });

  it('takes a queued message back into the composer with its files', async () => {
    const { chat, agent } = await mount({ attachments: '*' });
    const first = chat.send('One');
    await agent.heard(1);
    void chat.send({
      text: 'Two',
      attachments: [{ kind: 'file', name: 'a.txt', data: btoa('a'), mimeType: 'text/plain' }],
    });
    await inside(chat, '.queue li');
    find<HTMLButtonElement>(chat, '.queue [aria-label="Edit"]').click();
    await ready(chat);
    expect(find<HTMLTextAreaElement>(chat, '[part="input"]').value).to.equal('Two');
    await waitUntil(() => !has(chat, '.queue li'));
    agent.end('First.');
    await first;
    expect(chat.messages).to.have.length(2);
  });
});
