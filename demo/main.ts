/** The demo: a widget, its controls, and the events that the page receives. It uses only the public API. */
import { AgentChat } from 'agent-chat-element';
import 'agent-chat-element/define';
import { programmingAgent } from './agents/programming-agent.ts';
import { providerAgent } from './agents/provider-agent.ts';
import { stockAgent } from './agents/stock-agent.ts';
import { FAULTS, IN_PAGE, PROTOCOL_GROUPS, SCENARIOS, faultNames, scenarioNames, scenarioOf } from './choices.ts';
import { startEventLog } from './event-log.ts';
import { registerFigures } from './figures-element.ts';
import { playRecording } from './replay.ts';
import { readSettings, restore, toQuery, type Settings } from './settings.ts';
import { snippetOf } from './snippet.ts';
import { apply, describe } from './widget.ts';

function find<Type extends HTMLElement>(id: string, type: new () => Type): Type {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw new Error(`The page has no ${type.name} "${id}".`);
  return element;
}
const button = (id: string, press: () => void): HTMLButtonElement => {
  const element = find(id, HTMLButtonElement);
  element.addEventListener('click', press);
  return element;
};

const form = find('form', HTMLFormElement);
const chat = find('chat', AgentChat);

const HINTS = {
  auto: 'Each question goes to the server that can show it best. The widget detects its protocol.',
  named: 'The attribute “protocol” sets it.',
  recognised: 'The attribute is left out; the widget detects the protocol.',
  inPage: 'Three agents that run in this page, without a server. Choose one in the widget’s header.',
} as const;

const CODE = {
  language: 'javascript',
  filename: 'refund.js',
  content: 'var total = 0;\nfor (var item of order.items) {\n  if (item.state == "faulty") total += item.price;\n}\n',
};

/** The last question: it selects the server if the protocol is `auto`. */
let askedScenario = scenarioOf(SCENARIOS.answer.ask) ?? 'answer';

function fill(id: string, options: readonly (readonly [value: string, label: string])[]): void {
  document.getElementById(id)?.append(...options.map(([value, label]) => new Option(label, value)));
}

/** Applies all controls again: it is little work, and nothing can be missed. */
function show(settings: Settings): void {
  const { protocol, scenario, theme, mode, recognise } = settings;
  const inPage = protocol === IN_PAGE;
  const description = describe(settings, askedScenario);
  document.documentElement.dataset['theme'] = theme;
  apply(chat, settings, description);
  find('snippet', HTMLElement).textContent = snippetOf(description);

  const hint = inPage ? 'inPage' : protocol === 'auto' ? 'auto' : recognise ? 'recognised' : 'named';
  find('protocol-hint', HTMLElement).textContent = HINTS[hint];
  find('recognise-row', HTMLElement).hidden = inPage || protocol === 'auto';
  for (const id of ['scenario', 'fault', 'speed']) find(id, HTMLElement).toggleAttribute('disabled', inPage);
  const ask = find('ask', HTMLButtonElement);
  ask.hidden = inPage;
  ask.textContent = scenario === 'auto' ? 'Ask for the long answer' : 'Ask for it';
  for (const id of ['send-code', 'send-query']) find(id, HTMLElement).hidden = !inPage;
  find('shop', HTMLElement).hidden = mode === 'inline' || mode === 'fullscreen';
  find('widget', HTMLElement).classList.toggle('boxed', mode === 'inline');
  find('leave', HTMLElement).hidden = mode !== 'fullscreen';
  for (const output of form.querySelectorAll('output')) {
    const control = form.elements.namedItem(output.dataset['of'] ?? '');
    if (control instanceof HTMLInputElement) output.textContent = control.value + (output.dataset['unit'] ?? '');
  }
  const query = toQuery(form);
  history.replaceState(undefined, '', query ? `?${query}` : location.pathname);
}

const change = (name?: string): void => {
  const settings = readSettings(form);
  // Another agent does not know the conversation with the previous one.
  if (name === 'protocol' || name === 'scenario') chat.clear();
  show(settings);
  if (name === 'mode' && (settings.mode === 'floating' || settings.mode === 'sidebar')) chat.show();
};

/** Shows the widget's state as text after everything that may have changed it. */
function showFacts(): void {
  find('fact-status', HTMLElement).textContent = chat.status;
  find('fact-protocol', HTMLElement).textContent = chat.detectedProtocol ?? 'none yet';
  find('fact-phase', HTMLElement).textContent = chat.phase ?? 'none';
  find('fact-tokens', HTMLElement).textContent = chat.usage.total_tokens.toLocaleString('en');
}

async function copy(text: string, pressed: HTMLButtonElement): Promise<void> {
  const label = pressed.textContent;
  try {
    await navigator.clipboard.writeText(text);
    pressed.textContent = 'Copied';
  } catch {
    pressed.textContent = 'Copy failed';
  }
  setTimeout(() => (pressed.textContent = label), 1500);
}

/** Errors appear in the transcript and in the log. */
const send = (input: Parameters<AgentChat['send']>[0]): void => {
  chat.show();
  void chat.send(input).catch(() => undefined);
};

find('without-server', HTMLOptGroupElement).before(
  ...Object.entries(PROTOCOL_GROUPS).map(([label, names]) => {
    const group = Object.assign(document.createElement('optgroup'), { label });
    group.append(...names.map((name) => new Option(name, name)));
    return group;
  }),
);
fill(
  'scenarios',
  scenarioNames.map((name) => [name, SCENARIOS[name].title]),
);
fill(
  'faults',
  faultNames.map((name) => [name, FAULTS[name]]),
);
registerFigures();
for (const agent of [programmingAgent, stockAgent, providerAgent]) AgentChat.agents.register(agent);

const log = startEventLog(find('log', HTMLOListElement), find('log-empty', HTMLElement));
for (const name of ['agent-chat-event', 'agent-chat-message', 'agent-chat-error'] as const) {
  document.addEventListener(name, showFacts);
}
new MutationObserver(showFacts).observe(chat, { attributes: true, attributeFilter: ['status'] });

// This runs before the request, so the server can still be chosen.
chat.addEventListener('agent-chat-send', ({ detail: { message } }) => {
  const shownText = message.blocks.map((block) => (block.type === 'content' ? block.content : '')).join('');
  const found = scenarioOf(shownText);
  const settings = readSettings(form);
  if (found === undefined || settings.protocol !== 'auto') return;
  askedScenario = found;
  show(settings);
});

form.addEventListener('input', ({ target }) => {
  change(target instanceof HTMLInputElement || target instanceof HTMLSelectElement ? target.name : undefined);
});
form.addEventListener('submit', (event) => {
  event.preventDefault();
});
form.addEventListener('reset', () => {
  // Form controls are restored only after this event.
  setTimeout(() => {
    change('protocol');
  });
});

button('ask', () => {
  const { scenario } = readSettings(form);
  send(SCENARIOS[scenario === 'auto' ? 'answer' : scenario].ask);
});
button('send-code', () => {
  chat.setAttribute('agent', programmingAgent.id);
  send({ text: 'Please review this.', code: CODE });
});
button('send-query', () => {
  chat.setAttribute('agent', stockAgent.id);
  send({ text: 'How is NWO doing?', structured: { type: 'stock_query', data: { symbol: 'NWO', days: 20 } } });
});
button('leave', () => {
  find('mode', HTMLSelectElement).value = 'inline';
  change('mode');
});
const copySnippet = button('copy-snippet', () => {
  void copy(find('snippet', HTMLElement).textContent, copySnippet);
});
const copyLink = button('copy-link', () => {
  void copy(location.href, copyLink);
});
const recording = find('recording', HTMLInputElement);
button('replay', () => {
  recording.click();
});
recording.addEventListener('change', () => {
  const [file] = recording.files ?? [];
  // Allows the same file to be chosen again.
  recording.value = '';
  if (!file) return;
  chat.show();
  const note = find('form-note', HTMLElement);
  note.textContent = `Playing ${file.name}`;
  playRecording(chat, file)
    .then(
      () => (note.textContent = `Played ${file.name}`),
      () => (note.textContent = `${file.name} is no recording.`),
    )
    .finally(() => {
      show(readSettings(form));
    });
});
button('clear-log', () => {
  log.clear();
});

// Next to the widget if there is room, else collapsed above it.
const wide = matchMedia('(min-width: 64rem)');
const fold = (): void => {
  find('switches', HTMLDetailsElement).open = wide.matches;
};
wide.addEventListener('change', fold);
fold();

restore(form, new URLSearchParams(location.search));
show(readSettings(form));
