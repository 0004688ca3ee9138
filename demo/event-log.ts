/** The events of the widget as any page receives them: on the document. */
import type { AgentChatEventEvent, LLMAgentEvent } from 'agent-chat-element';

const MOST_ROWS = 200;

type Name = Extract<keyof GlobalEventHandlersEventMap, `agent-chat-${string}`>;

/** The summary line of each event. */
const summaries: { readonly [Event in Name]: (event: GlobalEventHandlersEventMap[Event]) => string } = {
  'agent-chat-ready': () => '',
  'agent-chat-send': ({ detail }) => `“${textOf(detail.message.blocks)}”`,
  'agent-chat-event': ({ detail }) => summaryOf(detail.event),
  'agent-chat-message': ({ detail: { message } }) => `${message.role}, ${message.status}`,
  'agent-chat-error': ({ detail }) => `${detail.kind}: ${detail.message}`,
  'agent-chat-action': ({ detail }) => detail.action,
  'agent-chat-link': ({ detail }) => detail.url,
  'agent-chat-blocked': ({ detail }) => [detail.sink, detail.reason, detail.url].filter(Boolean).join(' '),
  'agent-chat-feedback': ({ detail }) => [detail.value ?? 'taken back', detail.comment].filter(Boolean).join(': '),
  'agent-chat-consent': ({ detail }) => (detail.accepted ? 'accepted' : 'declined'),
  'agent-chat-toggle': ({ detail }) => (detail.open ? 'opened' : 'closed'),
  'agent-chat-state': () => '',
  'agent-chat-thread-change': ({ detail }) => detail.threadId,
  'agent-chat-draft': ({ detail }) => `${String(detail.text.length)} characters`,
};

const textOf = (blocks: AgentChatEventEvent['detail']['message']['blocks']): string =>
  blocks.map((block) => (block.type === 'content' ? block.content : `[${block.type}]`)).join(' ');

/** The field names of an object, and the state of a tool call. */
function summaryOf(event: LLMAgentEvent): string {
  if (event.type !== 'response') return event.type;
  const { tool_call, tool_call_name } = event.data;
  const tool = tool_call ? `tool_call ${tool_call} ${tool_call_name ?? ''}`.trim() : '';
  const others = Object.keys(event.data).filter((name) => name !== 'eventId' && !name.startsWith('tool_call'));
  return [tool, ...others].filter(Boolean).join(', ');
}

interface Row {
  readonly key: string;
  readonly count: HTMLElement;
  readonly element: HTMLLIElement;
}

/** Fills the list. Repeated events are counted, so that a stream of text is one line. */
export function startEventLog(list: HTMLOListElement, hint: HTMLElement): { clear(): void } {
  let last: Row | undefined;
  let times = 0;

  const add = (name: string, summary: string): void => {
    const key = `${name} ${summary}`;
    if (last?.key === key) {
      last.count.textContent = `×${String(++times)}`;
      return;
    }
    times = 1;
    const [time, label, words, count] = [make('time'), make('code'), make('span'), make('b')];
    time.textContent = new Date().toLocaleTimeString('en-GB');
    label.textContent = name.replace('agent-chat-', '');
    words.textContent = summary;
    const element = document.createElement('li');
    element.append(time, label, words, count);
    const follows = list.scrollHeight - list.scrollTop - list.clientHeight < 24;
    list.append(element);
    hint.hidden = true;
    if (list.childElementCount > MOST_ROWS) list.firstElementChild?.remove();
    if (follows) list.scrollTop = list.scrollHeight;
    last = { key, count, element };
  };
  for (const [name, summary] of Object.entries(summaries)) {
    document.addEventListener(name, (event) => {
      // TypeScript cannot relate the name to the event; the mapped type above guarantees it.
      add(name, summary(event as never));
    });
  }
  return {
    clear() {
      list.replaceChildren();
      hint.hidden = false;
      last = undefined;
    },
  };
}

const make = (tag: string): HTMLElement => document.createElement(tag);
