/** Converts the events of a run to the events of one reply. Source: `docs/protocols/langgraph.md`. */
import type { LLMAgentEvent } from '../../model/events/agent-events.ts';
import { isRecord, parseJson } from '../../model/json.ts';
import type { Frame } from '../../transport/frame.ts';
import type { DecodeContext } from '../core/adapter.ts';
import { endData, type ReplyEnd } from '../core/finish-reasons.ts';
import { errorMessage } from '../shared/error-message.ts';
import type * as questionForms from './interrupts.ts';
import { isInTool, readMessage, type LangMessage } from './messages.ts';
import { RunContent, type Data } from './run-content.ts';
import { isServer, parseRunLocation, type RunState } from './run-location.ts';
import type { V2Decoder, V2Run } from './v2.ts';

/** The module that converts interrupts to questions. It is loaded on demand, since most runs have no interrupts. */
export type QuestionForms = typeof questionForms;

/** The state of one reply, and what an event changes in it. */
export class LangGraphReply implements V2Run {
  readonly #context: DecodeContext<RunState>;
  readonly content: RunContent;
  readonly #interrupts = new Map<string, unknown>();
  #questionForms: QuestionForms | undefined;
  #isAtBreakpoint = false;
  #step: string | undefined;
  #hasValues = false;
  #hasStarted = false;
  /** Whether the server has named the run, as LangGraph servers do. */
  #hasRun = false;
  /** Set once a frame of the v2 protocol has arrived. A v2 stream stays open after a run; a classic stream ends with it. */
  #v2: V2Decoder | undefined;
  #runError: string | undefined;
  #finish: ReplyEnd | undefined;

  constructor(context: DecodeContext<RunState>) {
    this.#context = context;
    this.content = new RunContent(context);
  }

  take(json: unknown, frame: Frame, forms?: QuestionForms): readonly LLMAgentEvent[] {
    if (this.#finish !== undefined) return [];
    this.#questionForms = forms;
    const first = this.#start();
    if (frame.event === 'error')
      return [...first, ...this.#fail(typeof json === 'string' ? (parseJson(json) ?? json) : json)];
    return [...first, ...this.#responses(this.#takeClassic(json, frame))];
  }

  takeV2(decoder: V2Decoder, json: unknown, frame: Frame, forms?: QuestionForms): readonly LLMAgentEvent[] {
    if (this.#finish !== undefined) return [];
    this.#questionForms = forms;
    this.#v2 = decoder;
    const events = [...this.#start(), ...this.#responses(decoder.take(json, frame))];
    return this.#runError === undefined ? events : [...events, ...this.#fail(this.#runError)];
  }

  end(): readonly LLMAgentEvent[] {
    const failure = this.#finish === undefined ? this.#v2?.failure : undefined;
    if (failure !== undefined) return this.#fail(failure);
    const isComplete = this.#finish === undefined && this.#hasStarted && this.#v2?.isWhole !== false;
    return isComplete ? this.#responses([...this.#ownRoute(), ...this.#close()]) : [];
  }

  endRun(failure?: string): readonly Data[] {
    this.#runError = failure;
    return failure === undefined ? this.#close() : [];
  }

  addInterrupt(id: string, value: unknown): void {
    this.#interrupts.set(id, value);
  }

  enterStep(name: string): readonly Data[] {
    if (name === this.#step || name.startsWith('__')) return [];
    this.#step = name;
    return [this.content.here({ phase: { name } })];
  }

  takeValues(state: unknown): readonly Data[] {
    if (!isRecord(state)) return [];
    this.#hasValues = true;
    const { __interrupt__: interrupts, ...value } = state;
    this.#takeInterrupts(interrupts);
    // The state may contain only interrupts.
    const stateEvents = Object.keys(value).length > 0 ? [{ state: { value } }] : [];
    return [...this.content.reconcile(messagesIn(value['messages'])), ...stateEvents];
  }

  takeCustom(value: unknown): readonly Data[] {
    const id = isRecord(value) && value['type'] === 'ui' ? value['id'] : undefined;
    const data = { data_type: 'custom', data: value } as const;
    return [this.content.here({ data, ...(typeof id === 'string' && { data_id: id }) })];
  }

  takeRun(json: unknown): readonly Data[] {
    this.#hasRun = true;
    const { run_id: runId, thread_id: threadId } = isRecord(json) ? json : {};
    const metadata = {
      ...(typeof runId === 'string' && { runId }),
      ...(typeof threadId === 'string' && { threadId }),
    };
    return [{ metadata }];
  }

  takeGraphState(json: unknown, path: readonly string[]): readonly Data[] {
    if (path.length === 0) return this.takeValues(json);
    this.#takeInterrupts(isRecord(json) ? json['__interrupt__'] : undefined);
    return [];
  }

  takeMessages(json: unknown, path: readonly string[]): readonly Data[] {
    return isInTool(path) ? [] : messagesIn(json).flatMap((message) => this.content.put(message));
  }

  takeUpdates(updates: unknown, path: readonly string[]): readonly Data[] {
    if (!isRecord(updates)) return [];
    return Object.entries(updates).flatMap(([node, delta]) => {
      if (node === '__interrupt__') this.#takeInterrupts(delta);
      if (node.startsWith('__') || isInTool(path)) return [];
      const messages = path.length === 0 && isRecord(delta) ? messagesIn(delta['messages']) : [];
      const removed = messages
        .filter(({ type }) => type === 'remove')
        .flatMap(({ id }) => this.content.remove(id ?? ''));
      // If the stream also sends the state, it contains all messages with their final ids.
      const messageEvents = this.#hasValues ? [] : messages.flatMap((message) => this.content.put(message));
      return [...this.enterStep(node), ...removed, ...messageEvents];
    });
  }

  /** Takes a chunk of a message, with the chunk's metadata. */
  takeChunk(json: unknown, path: readonly string[]): readonly Data[] {
    const [first, second] = Array.isArray(json) ? (json as readonly unknown[]) : [json];
    const message = readMessage(first);
    const metadata = isRecord(second) ? second : {};
    const tags = Array.isArray(metadata['tags']) ? (metadata['tags'] as readonly unknown[]) : [];
    const isHidden = tags.includes('nostream') || tags.includes('langsmith:hidden');
    if (!message || isHidden) return [];
    if (message.type === 'remove') return this.content.remove(message.id ?? '');
    // Messages between a tool and its own model are not part of the answer.
    const isInnerMessage = message.type === 'ai' && isInTool(path);
    if ((message.type !== 'ai' && message.type !== 'tool') || isInnerMessage) return [];
    const node = metadata['langgraph_node'];
    const agent = metadata['lc_agent_name'] ?? message.name;
    const agentName = typeof agent === 'string' && agent !== 'model' ? agent : undefined;
    return [
      ...(typeof node === 'string' && !isInTool(path) ? this.enterStep(node) : []),
      ...this.content.append(message, agentName),
    ];
  }

  takeTool(event: unknown): readonly Data[] {
    if (!isRecord(event)) return [];
    const { event: kind, toolCallId, tool_call_id, name, data, output, error } = event;
    const id = toolCallId ?? tool_call_id;
    if (typeof id !== 'string') return [];
    const tool = typeof name === 'string' ? { name } : {};
    if (kind === 'on_tool_error')
      return this.content.answer(id, error ?? 'The tool has failed.', { failed: true, ...tool });
    if (kind === 'on_tool_event' && data !== undefined) {
      const message = typeof data === 'string' ? data : JSON.stringify(data);
      return [{ tool_call: 'running', tool_call_id: id, tool_call_progress: { message } }];
    }
    if (kind !== 'on_tool_end') return [];
    const value = isRecord(output) && 'content' in output ? output['content'] : output;
    return this.content.answer(id, value, { failed: false, ...tool });
  }

  #takeClassic(json: unknown, frame: Frame): readonly Data[] {
    const [name = '', ...path] = (frame.event ?? '').split('|');
    const handler = Object.hasOwn(HANDLERS, name) ? HANDLERS[name] : undefined;
    if (handler) return handler(this, json, path);
    this.#context.report({ kind: 'unknown', detail: `The event "${name}" is unknown.`, frame });
    return [];
  }

  #takeInterrupts(list: unknown): void {
    if (!Array.isArray(list)) return;
    // A breakpoint that the graph's author has set is reported as an empty list.
    this.#isAtBreakpoint ||= list.length === 0;
    for (const item of list) {
      const { id, interrupt_id, value } = isRecord(item) ? item : {};
      const name = id ?? interrupt_id;
      this.#interrupts.set(typeof name === 'string' ? name : JSON.stringify(value ?? null), value);
    }
  }

  #start(): readonly LLMAgentEvent[] {
    if (this.#hasStarted) return [];
    this.#hasStarted = true;
    return this.#responses([{ metadata: { interrupts: [], calls: [], ...this.#context.providerState } }]);
  }

  /** Marks a reply of a custom route, not of a LangGraph server: its next requests have the same form as the first one. */
  #ownRoute(): readonly Data[] {
    const { providerState, url, turn } = this.#context;
    const mayBeOwn = !this.#v2 && !this.#hasRun && !providerState && url !== undefined;
    return mayBeOwn && !isServer(parseRunLocation(url), turn) ? [{ metadata: { ownRoute: true } }] : [];
  }

  /** Emits the open questions at the end of a reply, and whether it waits for client tools. */
  #close(): readonly Data[] {
    const forms = this.#questionForms;
    const calls = [...this.content.openCalls(), ...this.content.olderCalls()];
    const unansweredCalls = [...calls];
    const interrupts = [...this.#interrupts].flatMap(
      ([id, value]) => forms?.toQuestion(id, value, unansweredCalls) ?? [],
    );
    const questions = forms && interrupts.length === 0 && this.#isAtBreakpoint ? [forms.breakpoint] : interrupts;
    const clientCallIds = new Set(questions.flatMap(({ open }) => (open.kind === 'tool' ? [open.callId] : [])));
    const hasQuestions = questions.length > 0;
    // After a question the server runs its calls itself. Otherwise, calls without a result belong to the page.
    const open = this.content.openCalls().filter(({ id }) => !hasQuestions || clientCallIds.has(id));
    const remote = hasQuestions ? calls.filter(({ id }) => !clientCallIds.has(id)) : [];
    const finish = hasQuestions ? 'tool_use' : (this.content.end ?? (open.length > 0 ? 'tool_use' : 'complete'));
    this.#finish = finish;
    return [
      ...remote.map(({ id }): Data => ({ tool_call: 'update', tool_call_id: id, tool_call_remote: true })),
      ...questions
        .flatMap(({ data }) => data)
        .map((data) => (data.tool_call_id === undefined ? this.content.here(data) : data)),
      { metadata: { interrupts: questions.map((question) => question.open), calls: open.map(({ id }) => id) } },
      endData(finish),
    ];
  }

  #fail(cause: unknown): readonly LLMAgentEvent[] {
    const { error: code, message, detail } = isRecord(cause) ? cause : { message: cause };
    const text = [message, detail, code].find((value) => typeof value === 'string' && value !== '');
    const error = typeof text === 'string' ? text : (errorMessage(cause) ?? 'The run has failed.');
    this.#finish = 'error';
    const { eventId } = this.#context;
    return [
      { type: 'error', data: { eventId, error, ...(typeof code === 'string' && code !== text && { code }) } },
      ...this.#responses([{ finish: 'error' }]),
    ];
  }

  #responses(items: readonly Data[]): readonly LLMAgentEvent[] {
    return items.map((data) => ({ type: 'response', data: { eventId: this.#context.eventId, ...data } }));
  }
}

const ignore = (): readonly Data[] => [];

/** What each event of the classic protocol does. */
const HANDLERS: Readonly<
  Record<string, (reply: LangGraphReply, json: unknown, path: readonly string[]) => readonly Data[]>
> = {
  metadata: (reply, json) => reply.takeRun(json),
  messages: (reply, json, path) => reply.takeChunk(json, path),
  'messages/partial': (reply, json, path) => reply.takeMessages(json, path),
  'messages/complete': (reply, json, path) => reply.takeMessages(json, path),
  values: (reply, json, path) => reply.takeGraphState(json, path),
  updates: (reply, json, path) => reply.takeUpdates(json, path),
  custom: (reply, json) => reply.takeCustom(json),
  tools: (reply, json) => reply.takeTool(json),
  feedback: (_, json) => [{ metadata: { feedback: json } }],
  // Debug events, and marks without content.
  'messages/metadata': ignore,
  events: ignore,
  tasks: ignore,
  checkpoints: ignore,
  debug: ignore,
  end: ignore,
};

const messagesIn = (list: unknown): readonly LangMessage[] =>
  (Array.isArray(list) ? (list as readonly unknown[]) : [list]).flatMap((item) => readMessage(item) ?? []);
