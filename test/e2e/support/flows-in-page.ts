/**
 * The main flows, by scripts that click like a user: for engines that are driven by WebDriver, and the same in all.
 * Each is the body of a function that returns the visible result.
 */

const TOOLS = `
  const drawn = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  const chat = document.querySelector('agent-chat');
  const find = (selector) => chat.shadowRoot.querySelector(selector);
  const until = async (look, what) => {
    for (const begun = Date.now(); Date.now() - begun < 15000; await drawn()) {
      const seen = look();
      if (seen) return seen;
    }
    throw new Error('Not seen: ' + what + '. There is: ' + chat.shadowRoot.textContent.replace(/\\s+/g, ' ').slice(-400));
  };
  const nameOf = (button) => (button.getAttribute('aria-label') ?? button.textContent).trim().replace(/\\s+/g, ' ');
  const button = (name) =>
    [...chat.shadowRoot.querySelectorAll('button:enabled')].filter((one) => name.test(nameOf(one))).at(-1);
  const press = async (name) => (await until(() => button(name), String(name))).click();
  const says = (words) => until(() => find('[part=transcript]').textContent.includes(words), words);
  const put = (field, words) => {
    field.value = words;
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  };
  const send = async (words) => {
    put(find('[part=input]'), words);
    await press(/^Send$/);
  };
  const heard = () => until(() => chat.status === 'idle' && find('[part=transcript] strong'), 'an answer');
  await customElements.whenDefined('agent-chat');
  await chat.updateComplete;
`;

const flow = (body: string): string => `return (async () => {${TOOLS}${body}})()`;

interface FlowInPage {
  readonly name: string;
  readonly body: string;
  readonly seen: unknown;
}

/** The agent is the one of `flows.ts`. */
export const flowsInPage: readonly FlowInPage[] = [
  {
    name: 'stops',
    body: flow(`
      await send('Tell me slowly');
      await says('It takes its time.');
      await press(/^Stop$/);
      await says('You stopped this answer.');
      return chat.messages.at(-1).status;
    `),
    seen: 'cancelled',
  },
  {
    name: 'approves',
    body: flow(`
      await send('mail it');
      await press(/^Allow once$/);
      await says('allowed');
      return chat.messages.at(-1).blocks.find(({ type }) => type === 'action').status;
    `),
    seen: 'granted',
  },
  {
    name: 'edits the sent message, and moves between the versions',
    body: flow(`
      await send('Hello');
      await heard();
      await press(/^Edit$/);
      put(await until(() => find('.editor textarea'), 'the editor'), 'Good evening');
      (await until(() => [...find('.editor').querySelectorAll('button:enabled')].find((one) => nameOf(one) === 'Send'), 'Send')).click();
      await says('2/2');
      await heard();
      await press(/^Previous version$/);
      await says('1/2');
      return chat.messages[0].blocks[0].content;
    `),
    seen: 'Hello',
  },
  {
    name: 'regenerates the answer',
    body: flow(`
      await send('Hello');
      await heard();
      await press(/^Regenerate$/);
      await says('2/2');
      await heard();
      return chat.messages.length;
    `),
    seen: 2,
  },
  {
    name: 'attaches a file, and sends it with text',
    body: flow(`
      await until(() => button(/^Attach files$/), 'the button');
      const files = new DataTransfer();
      files.items.add(new File(['A note'], 'note.txt', { type: 'text/plain' }));
      const field = find('input[type=file]');
      field.files = files.files;
      field.dispatchEvent(new Event('change', { bubbles: true }));
      await until(() => button(/^Remove note\\.txt$/), 'the file');
      await send('Read this');
      await heard();
      await says('note.txt');
      return chat.messages[0].blocks.map(({ type }) => type);
    `),
    seen: ['content', 'file'],
  },
  {
    name: 'opens another conversation and returns',
    body: flow(`
      await send('Hello');
      await heard();
      await press(/^New conversation$/);
      await says('What can I do for you?');
      await press(/^Conversations$/);
      await press(/^Hello/);
      await heard();
      return chat.messages[0].blocks[0].content;
    `),
    seen: 'Hello',
  },
  {
    name: 'the page turns dark, and keeps its state',
    body: flow(`
      await send('Tell me slowly');
      await says('It takes its time.');
      put(find('[part=input]'), 'Half a thought');
      const surface = () => getComputedStyle(find('[part~=bubble]')).backgroundColor;
      const light = surface();
      chat.setAttribute('color-scheme', 'dark');
      await chat.updateComplete;
      await drawn();
      const seen = [surface() !== light, find('[part=input]').value, chat.status];
      await press(/^Stop$/);
      return seen;
    `),
    seen: [true, 'Half a thought', 'streaming'],
  },
];
