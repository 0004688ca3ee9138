/** The playground: recorded streams, a pasted stream, or the user's endpoint, in a widget with its inspector. */
import { AgentChat } from 'agent-chat-element';
import { replay, type Recording } from 'agent-chat-element/testing';
import { playStream } from './play-stream.ts';
import { readPasted, readSettings, restore, toHash, type PlaySettings } from './play-settings.ts';
import { snippetOf } from './play-snippet.ts';
import { keyOf, streams, type Stream } from './streams.ts';

const AUTO = 'auto';
/** The default stream. */
const FIRST = 'agent-session/answer';

function find<Type extends HTMLElement>(id: string, type: new () => Type): Type {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw new Error(`The page has no ${type.name} "${id}".`);
  return element;
}

export function startPlayground(form: HTMLFormElement): void {
  const chat = find('chat', AgentChat);
  const note = find('note', HTMLElement);
  let set: readonly string[] = [];

  fillLists();
  restore(form, location.hash);

  const chosen = (): Stream | undefined => streams().find((stream) => keyOf(stream) === readSettings(form).stream);

  function show(): void {
    const settings = readSettings(form);
    for (const part of form.querySelectorAll<HTMLElement>('[data-source]'))
      part.hidden = !(part.dataset['source'] ?? '').split(' ').includes(settings.source);
    const names = Object.keys(settings.attributes);
    for (const name of set.filter((name) => !names.includes(name))) chat.removeAttribute(name);
    for (const [name, value] of Object.entries(settings.attributes)) chat.setAttribute(name, value);
    set = names;
    if (!('color-scheme' in settings.attributes)) followPage(chat);
    if (settings.accent === undefined) chat.style.removeProperty('--agent-chat-accent');
    else chat.style.setProperty('--agent-chat-accent', settings.accent);
    find('snippet', HTMLElement).textContent = snippetOf(settings, chosen()?.protocol ?? AUTO);
    if (settings.leftOut.length > 0) note.textContent = `Not set here: ${settings.leftOut.join(', ')}.`;
    const hash = toHash(form);
    history.replaceState(undefined, '', hash ? `#${hash}` : location.pathname);
  }

  /** Connects the widget to the selected agent. Returns false if there is none. */
  async function connect(settings: PlaySettings): Promise<boolean> {
    chat.clear();
    if (settings.source === 'endpoint') {
      Object.assign(chat, { endpoint: settings.endpoint, protocol: settings.protocol, fetch: undefined });
      return settings.endpoint !== '';
    }
    const stream = settings.source === 'ours' ? chosen() : undefined;
    const agent = stream ? await playStream(stream, paceOf(settings)) : await playPasted(settings);
    if (agent) Object.assign(chat, agent);
    return agent !== undefined;
  }

  const tell = (status: string): void => {
    note.textContent = `${chat.detectedProtocol ?? 'No protocol'}, ${status}. Frames, events and blocks are in the inspector.`;
  };
  // Nothing receives the answer to a question in a recording, so the reply does not end.
  new MutationObserver(() => {
    if (chat.status === 'awaiting-action') tell('waiting for the reader');
  }).observe(chat, { attributeFilter: ['status'] });

  /** Number of the current run; results of earlier runs are ignored. */
  let turns = 0;
  async function play(): Promise<void> {
    const settings = readSettings(form);
    const turn = ++turns;
    try {
      if (!(await connect(settings))) {
        note.textContent = settings.source === 'endpoint' ? 'Where is your endpoint?' : 'There is nothing to play yet.';
        return;
      }
      chat.show();
      note.textContent = 'Playing …';
      const { status } = await chat.send(settings.source === 'ours' ? `Play ${settings.stream}` : 'Hello');
      if (turn === turns) tell(status);
    } catch (error) {
      if (turn === turns) note.textContent = error instanceof Error ? error.message : String(error);
    }
  }

  form.addEventListener('input', show);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void play();
  });
  form.addEventListener('reset', () => {
    // The controls have their initial values only after this event.
    setTimeout(() => {
      chat.clear();
      show();
    });
  });
  addEventListener('hashchange', () => {
    restore(form, location.hash);
    show();
  });
  find('copy-link', HTMLButtonElement).addEventListener('click', () => {
    void navigator.clipboard.writeText(location.href).then(
      () => (note.textContent = 'The link is copied.'),
      () => (note.textContent = 'This page may not copy here: take the address above.'),
    );
  });
  show();
}

const paceOf = ({ speed }: PlaySettings): { pace?: number } => (speed === 'at once' ? { pace: 0 } : {});

/** A recording of the inspector contains frames and times; any other text is the bytes of a stream. */
async function playPasted(settings: PlaySettings): Promise<object | undefined> {
  const { pasted, protocol } = settings;
  if (pasted === '') return undefined;
  const recording = asRecording(pasted);
  // (A page opened from a disk has no host for relative URLs.)
  if (recording) return { ...(await replay(recording, { pace: 'recorded' })), endpoint: 'https://recorded.example/' };
  return playStream(readPasted(pasted, protocol), paceOf(settings));
}

function asRecording(text: string): Recording | undefined {
  try {
    const value: unknown = JSON.parse(text);
    // `replay` validates the rest.
    return typeof value === 'object' && value !== null && 'frames' in value ? (value as Recording) : undefined;
  } catch {
    return undefined;
  }
}

function followPage(chat: AgentChat): void {
  const { scheme } = document.documentElement.dataset;
  if (scheme === undefined) chat.removeAttribute('color-scheme');
  else chat.setAttribute('color-scheme', scheme);
}

function fillLists(): void {
  const list = find('stream', HTMLSelectElement);
  for (const [protocol, own] of Map.groupBy(streams(), (stream) => stream.protocol)) {
    const group = Object.assign(document.createElement('optgroup'), { label: protocol });
    group.append(...own.map((stream) => new Option(stream.name, keyOf(stream))));
    list.append(group);
  }
  list.value = FIRST;
  if (list.selectedOptions[0]) list.selectedOptions[0].defaultSelected = true;
  const ids = AgentChat.protocols.list().map(({ id }) => id);
  find('protocol', HTMLSelectElement).append(...ids.toSorted().map((id) => new Option(id, id)));
  find('locale', HTMLSelectElement).append(...AgentChat.locales.list().map((id) => new Option(id, id)));
}
