/** LangGraph servers (`langgraph`): streamed runs, classic and v2. Source: `docs/protocols/langgraph.md`. */
import type { LLMAgentEvent } from '../../model/agent-events.ts';
import type { FinishReason } from '../../model/message.ts';
import type { Frame } from '../../transport/frame.ts';
import type * as questionForms from './interrupts.ts';
import { isInTool, readMessage, type LangMessage } from './messages.ts';
import { makeReplyState, type Data } from './reply.ts';
import { cancelRun, isServer, parseRunLocation, resumeRun, type RunState } from './run-location.ts';
import type { MakeV2 } from './v2.ts';
import { isRecord, parseJson } from '../../model/json.ts';
import { readJsonFrames } from '../core/read-frames.ts';
import type { Adapter, DecodeContext } from '../core/adapter.ts';

export const langgraph: Adapter<RunState> = {
  id: 'langgraph',
  label: 'LangGraph',
  kind: 'agent',
  request: async (turn, options) => (await import('./request.ts')).langgraphRequest(turn, options),
  cancel: cancelRun,
  resume: resumeRun,

  async *decode(batches, context) {
    let questions: Questions | undefined;
    const reply = makeReply(context, () => questions);
    let takeV2: Reply['take'] | undefined;
    for await (const batch of batches) {
      const events: LLMAgentEvent[] = [];
      for (const { json, frame } of readJsonFrames(batch, context.report)) {
        // Loaded on demand, since most runs have no interrupts.
        if (frame.data.includes('interrupt')) questions ??= await import('./interrupts.ts');
        const take = isV2(json) ? (takeV2 ??= reply.speakV2((await import('./v2.ts')).makeV2)) : reply.take;
        events.push(...take(json, frame));
      }
      yield events;
    }
    yield reply.end();
  },
};

type Questions = typeof questionForms;

const isV2 = (json: unknown): boolean => isRecord(json) && json['type'] === 'event' && 'method' in json;

interface Reply {
  take(json: unknown, frame: Frame): readonly LLMAgentEvent[];
  /** Switches to the v2 protocol and returns the function that handles its frames. */
  speakV2(make: MakeV2): Reply['take'];
  end(): readonly LLMAgentEvent[];
}

function makeReply(
  { eventId, turn, providerState, url, report, newId }: DecodeContext<RunState>,
  load: () => Questions | undefined,
): Reply {
  const replyState = makeReplyState({ turn, newId });
  const interrupts = new Map<string, unknown>();
  let atBreakpoint = false;
  let step: string | undefined;
  let hasValues = false;
  let hasStarted = false;
  let finish: FinishReason | undefined;
  /** The server has sent the id of its run. */
  let isRun = false;
  /** The v2 decoder. A v2 stream stays open after a run; a classic stream ends with it. */
  let v2: ReturnType<MakeV2> | undefined;

  const response = (data: Data): LLMAgentEvent => ({ type: 'response', data: { eventId, ...data } });
  const start = (): readonly Data[] => {
    if (hasStarted) return [];
    hasStarted = true;
    return [{ metadata: { interrupts: [], calls: [], ...providerState } }];
  };
  /** A custom route that accepted the first request gets the same form again. */
  const ownRoute = (): readonly Data[] => {
    const isOwn = !v2 && !isRun && !providerState && url !== undefined && !isServer(parseRunLocation(url), turn);
    return isOwn ? [{ metadata: { ownRoute: true } }] : [];
  };
  const stepTo = (name: string): readonly Data[] => {
    if (name === step || name.startsWith('__')) return [];
    step = name;
    return [replyState.here({ phase: { name } })];
  };
  const takeInterrupts = (list: unknown): void => {
    if (!Array.isArray(list)) return;
    atBreakpoint ||= list.length === 0;
    for (const item of list) {
      const { id, interrupt_id, value } = isRecord(item) ? item : {};
      const name = id ?? interrupt_id;
      interrupts.set(typeof name === 'string' ? name : JSON.stringify(value ?? null), value);
    }
  };
  const takeValues = (state: unknown): readonly Data[] => {
    if (!isRecord(state)) return [];
    hasValues = true;
    const { __interrupt__: pendingInterrupts, ...value } = state;
    takeInterrupts(pendingInterrupts);
    // The state may contain only interrupts.
    const stateEvents = Object.keys(value).length > 0 ? [{ state: { value } }] : [];
    return [...replyState.reconcile(messagesIn(value['messages'])), ...stateEvents];
  };
  const takeUpdates = (updates: unknown, namespace: readonly string[]): readonly Data[] => {
    if (!isRecord(updates)) return [];
    return Object.entries(updates).flatMap(([node, delta]) => {
      if (node === '__interrupt__') takeInterrupts(delta);
      if (node.startsWith('__') || isInTool(namespace)) return [];
      const messages = namespace.length === 0 && isRecord(delta) ? messagesIn(delta['messages']) : [];
      const removed = messages.filter(({ type }) => type === 'remove').flatMap(({ id }) => replyState.remove(id ?? ''));
      // If the stream also sends the state, it contains all messages with their final ids.
      const messageEvents = hasValues ? [] : messages.flatMap((message) => replyState.put(message));
      return [...stepTo(node), ...removed, ...messageEvents];
    });
  };
  const takeCustom = (value: unknown): readonly Data[] => {
    const id = isRecord(value) && value['type'] === 'ui' ? value['id'] : undefined;
    return [
      replyState.here({
        data: { data_type: 'custom', data: value },
        ...(typeof id === 'string' && { data_id: id }),
      }),
    ];
  };
  const takeTuple = (json: unknown, namespace: readonly string[]): readonly Data[] => {
    const [first, meta] = Array.isArray(json) ? (json as readonly unknown[]) : [json];
    const message = readMessage(first);
    const metadata = isRecord(meta) ? meta : {};
    const tags = Array.isArray(metadata['tags']) ? (metadata['tags'] as readonly unknown[]) : [];
    const isHidden = tags.includes('nostream') || tags.includes('langsmith:hidden');
    if (!message || isHidden) return [];
    if (message.type === 'remove') return replyState.remove(message.id ?? '');
    // Messages between a tool and its own model are not part of the answer.
    if ((message.type !== 'ai' && message.type !== 'tool') || (message.type === 'ai' && isInTool(namespace))) return [];
    const node = metadata['langgraph_node'];
    const agent = metadata['lc_agent_name'] ?? message.name;
    const agentName = typeof agent === 'string' && agent !== 'model' ? agent : undefined;
    return [
      ...(typeof node === 'string' && !isInTool(namespace) ? stepTo(node) : []),
      ...replyState.append(message, agentName),
    ];
  };
  const takeTool = (event: unknown): readonly Data[] => {
    if (!isRecord(event)) return [];
    const { event: kind, toolCallId, tool_call_id, name, data, output, error } = event;
    const id = toolCallId ?? tool_call_id;
    if (typeof id !== 'string') return [];
    const tool = typeof name === 'string' ? name : undefined;
    if (kind === 'on_tool_error') return replyState.answer(id, error ?? 'The tool has failed.', true, tool);
    if (kind === 'on_tool_event' && data !== undefined) {
      const message = typeof data === 'string' ? data : JSON.stringify(data);
      return [{ tool_call: 'running', tool_call_id: id, tool_call_progress: { message } }];
    }
    if (kind !== 'on_tool_end') return [];
    return replyState.answer(id, isRecord(output) && 'content' in output ? output['content'] : output, false, tool);
  };
  /** Emits the open questions at the end of a reply, and whether it waits for client tools. */
  const close = (): readonly Data[] => {
    const calls = [...replyState.openCalls(), ...replyState.olderCalls()];
    const unansweredCalls = [...calls];
    const questionForms = load();
    const pendingInterrupts = [...interrupts].flatMap(
      ([id, value]) => questionForms?.toQuestion(id, value, unansweredCalls) ?? [],
    );
    const questions =
      questionForms && pendingInterrupts.length === 0 && atBreakpoint ? [questionForms.breakpoint] : pendingInterrupts;
    const ownTools = new Set(questions.flatMap(({ open }) => (open.kind === 'tool' ? [open.callId] : [])));
    const questionData = questions.flatMap(({ data }) => data);
    const isWaiting = questions.length > 0;
    // After a question the server runs its calls itself. Otherwise, calls without a result belong to the page.
    const open = replyState.openCalls().filter(({ id }) => !isWaiting || ownTools.has(id));
    const remote = isWaiting ? calls.filter(({ id }) => !ownTools.has(id)) : [];
    finish = isWaiting || open.length > 0 ? 'tool_use' : 'complete';
    return [
      ...remote.map(({ id }): Data => ({ tool_call: 'update', tool_call_id: id, tool_call_remote: true })),
      ...questionData.map((data) => (data.tool_call_id === undefined ? replyState.here(data) : data)),
      { metadata: { interrupts: questions.map((question) => question.open), calls: open.map(({ id }) => id) } },
      { finish },
    ];
  };
  const fail = (error: unknown): readonly LLMAgentEvent[] => {
    const { error: code, message, detail } = isRecord(error) ? error : { message: error };
    const errorText = [message, detail, code].find((text) => typeof text === 'string' && text !== '');
    finish = 'error';
    return [
      {
        type: 'error',
        data: {
          eventId,
          error: typeof errorText === 'string' ? errorText : 'The run has failed.',
          ...(typeof code === 'string' && code !== errorText && { code }),
        },
      },
      response({ finish }),
    ];
  };

  const takeClassic = (json: unknown, frame: Frame): readonly Data[] => {
    const [name = '', ...path] = (frame.event ?? '').split('|');
    switch (name) {
      case 'metadata': {
        isRun = true;
        const { run_id: runId, thread_id: threadId } = isRecord(json) ? json : {};
        return [
          {
            metadata: {
              ...(typeof runId === 'string' && { runId }),
              ...(typeof threadId === 'string' && { threadId }),
            },
          },
        ];
      }
      case 'messages':
        return takeTuple(json, path);
      case 'messages/partial':
      case 'messages/complete':
        return messagesIn(json).flatMap((message) => (isInTool(path) ? [] : replyState.put(message)));
      case 'values':
        if (path.length === 0) return takeValues(json);
        takeInterrupts(isRecord(json) ? json['__interrupt__'] : undefined);
        return [];
      case 'updates':
        return takeUpdates(json, path);
      case 'custom':
        return takeCustom(json);
      case 'tools':
        return takeTool(json);
      case 'feedback':
        return [{ metadata: { feedback: json } }];
      default:
        if (!IGNORED.has(name)) report({ kind: 'unknown', detail: `The event "${name}" is unknown.`, frame });
        return [];
    }
  };

  return {
    take(json, frame) {
      if (finish !== undefined) return [];
      const first = start().map(response);
      if (frame.event === 'error')
        return [...first, ...fail(typeof json === 'string' ? (parseJson(json) ?? json) : json)];
      return [...first, ...takeClassic(json, frame).map(response)];
    },
    speakV2(make) {
      let runError: string | undefined;
      const v2Decoder = make({
        replyState,
        newId,
        report,
        values: takeValues,
        custom: takeCustom,
        step: stepTo,
        interrupt: (id, value) => interrupts.set(id, value),
        end(runFailure) {
          runError = runFailure;
          return runFailure === undefined ? close() : [];
        },
      });
      v2 = v2Decoder;
      return (json, frame) => {
        if (finish !== undefined) return [];
        const events = [...start(), ...v2Decoder.take(json, frame)].map(response);
        return runError === undefined ? events : [...events, ...fail(runError)];
      };
    },
    end: () =>
      finish === undefined && hasStarted && v2?.isWhole() !== false ? [...ownRoute(), ...close()].map(response) : [],
  };
}

/** Debug events, and marks without content. */
const IGNORED = new Set(['messages/metadata', 'events', 'tasks', 'checkpoints', 'debug', 'end']);

const messagesIn = (list: unknown): readonly LangMessage[] =>
  (Array.isArray(list) ? (list as readonly unknown[]) : [list]).flatMap((item) => readMessage(item) ?? []);
