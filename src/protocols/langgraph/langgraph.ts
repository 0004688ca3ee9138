/** LangGraph servers (`langgraph`): runs as a stream, classic and v2. Source: `langgraph.md`. */
import type { LLMAgentEvent } from '../../model/agent-events.ts';
import type { FinishReason } from '../../model/message.ts';
import type { Frame } from '../../transport/frame.ts';
import { detectLanggraph } from '../detect/servers.ts';
import type * as questionForms from './interrupts.ts';
import { isInTool, readMessage, type LangMessage } from './messages.ts';
import { gatherReply, type Data } from './reply.ts';
import { cancelRun, resumeRun, type RunFacts } from './place.ts';
import type { MakeV2 } from './v2.ts';
import { isRecord, parseJson } from '../../model/json.ts';
import { readJsonFrames } from '../shared/read-frames.ts';
import type { Adapter, DecodeContext } from '../adapter.ts';

export const langgraph: Adapter<RunFacts> = {
  id: 'langgraph',
  label: 'LangGraph',
  kind: 'agent',
  detect: detectLanggraph,
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
        // Apart, since most runs ask nothing.
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
  /** The newer protocol is spoken: what takes its frames. */
  speakV2(make: MakeV2): Reply['take'];
  end(): readonly LLMAgentEvent[];
}

function makeReply(
  { eventId, turn, facts, report, newId }: DecodeContext<RunFacts>,
  load: () => Questions | undefined,
): Reply {
  const gathered = gatherReply({ turn, newId });
  const interrupts = new Map<string, unknown>();
  let atBreakpoint = false;
  let step: string | undefined;
  let hasValues = false;
  let begun = false;
  let finish: FinishReason | undefined;
  /** A v2 stream stays open behind a run, and a classic one ends with it. */
  let v2: ReturnType<MakeV2> | undefined;

  const response = (data: Data): LLMAgentEvent => ({ type: 'response', data: { eventId, ...data } });
  const start = (): readonly Data[] => {
    if (begun) return [];
    begun = true;
    return [{ metadata: { interrupts: [], calls: [], ...facts } }];
  };
  const stepTo = (name: string): readonly Data[] => {
    if (name === step || name.startsWith('__')) return [];
    step = name;
    return [gathered.here({ phase: { name } })];
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
    const { __interrupt__: asked, ...value } = state;
    takeInterrupts(asked);
    // The stream may tell the interrupts alone.
    const known = Object.keys(value).length > 0 ? [{ state: { value } }] : [];
    return [...gathered.reconcile(messagesIn(value['messages'])), ...known];
  };
  const takeUpdates = (updates: unknown, namespace: readonly string[]): readonly Data[] => {
    if (!isRecord(updates)) return [];
    return Object.entries(updates).flatMap(([node, delta]) => {
      if (node === '__interrupt__') takeInterrupts(delta);
      if (node.startsWith('__') || isInTool(namespace)) return [];
      const messages = namespace.length === 0 && isRecord(delta) ? messagesIn(delta['messages']) : [];
      const removed = messages.filter(({ type }) => type === 'remove').flatMap(({ id }) => gathered.remove(id ?? ''));
      // Where the state is told too, it has them all, under their last ids.
      const said = hasValues ? [] : messages.flatMap((message) => gathered.put(message));
      return [...stepTo(node), ...removed, ...said];
    });
  };
  const takeCustom = (value: unknown): readonly Data[] => {
    const id = isRecord(value) && value['type'] === 'ui' ? value['id'] : undefined;
    return [
      gathered.here({
        data: { data_type: 'custom', data: value },
        ...(typeof id === 'string' && { data_id: id }),
      }),
    ];
  };
  const takeTuple = (json: unknown, namespace: readonly string[]): readonly Data[] => {
    const [first, meta] = Array.isArray(json) ? (json as readonly unknown[]) : [json];
    const message = readMessage(first);
    const facts = isRecord(meta) ? meta : {};
    const tags = Array.isArray(facts['tags']) ? (facts['tags'] as readonly unknown[]) : [];
    const isHidden = tags.includes('nostream') || tags.includes('langsmith:hidden');
    if (!message || isHidden) return [];
    if (message.type === 'remove') return gathered.remove(message.id ?? '');
    // What a tool says to a model of its own is no answer.
    if ((message.type !== 'ai' && message.type !== 'tool') || (message.type === 'ai' && isInTool(namespace))) return [];
    const node = facts['langgraph_node'];
    const agent = facts['lc_agent_name'] ?? message.name;
    const named = typeof agent === 'string' && agent !== 'model' ? agent : undefined;
    return [
      ...(typeof node === 'string' && !isInTool(namespace) ? stepTo(node) : []),
      ...gathered.append(message, named),
    ];
  };
  const takeTool = (event: unknown): readonly Data[] => {
    if (!isRecord(event)) return [];
    const { event: kind, toolCallId, tool_call_id, name, data, output, error } = event;
    const id = toolCallId ?? tool_call_id;
    if (typeof id !== 'string') return [];
    const tool = typeof name === 'string' ? name : undefined;
    if (kind === 'on_tool_error') return gathered.answer(id, error ?? 'The tool has failed.', true, tool);
    if (kind === 'on_tool_event' && data !== undefined) {
      const message = typeof data === 'string' ? data : JSON.stringify(data);
      return [{ tool_call: 'running', tool_call_id: id, tool_call_progress: { message } }];
    }
    if (kind !== 'on_tool_end') return [];
    return gathered.answer(id, isRecord(output) && 'content' in output ? output['content'] : output, false, tool);
  };
  /** What a reply asks at its end, and whether it waits for the page. */
  const close = (): readonly Data[] => {
    const calls = [...gathered.openCalls(), ...gathered.olderCalls()];
    const waiting = [...calls];
    const asking = load();
    const asked = [...interrupts].flatMap(([id, value]) => asking?.questionOf(id, value, waiting) ?? []);
    const questions = asking && asked.length === 0 && atBreakpoint ? [asking.breakpoint] : asked;
    const ownTools = new Set(questions.flatMap(({ open }) => (open.kind === 'tool' ? [open.callId] : [])));
    const asks = questions.flatMap(({ data }) => data);
    const waits = questions.length > 0;
    // Behind a question the server runs its calls itself; without one, a call without a result is for the page.
    const open = gathered.openCalls().filter(({ id }) => !waits || ownTools.has(id));
    const remote = waits ? calls.filter(({ id }) => !ownTools.has(id)) : [];
    finish = waits || open.length > 0 ? 'tool_use' : 'complete';
    return [
      ...remote.map(({ id }): Data => ({ tool_call: 'update', tool_call_id: id, tool_call_remote: true })),
      ...asks.map((data) => (data.tool_call_id === undefined ? gathered.here(data) : data)),
      { metadata: { interrupts: questions.map((question) => question.open), calls: open.map(({ id }) => id) } },
      { finish },
    ];
  };
  const fail = (error: unknown): readonly LLMAgentEvent[] => {
    const { error: code, message, detail } = isRecord(error) ? error : { message: error };
    const words = [message, detail, code].find((text) => typeof text === 'string' && text !== '');
    finish = 'error';
    return [
      {
        type: 'error',
        data: {
          eventId,
          error: typeof words === 'string' ? words : 'The run has failed.',
          ...(typeof code === 'string' && code !== words && { code }),
        },
      },
      response({ finish }),
    ];
  };

  const takeClassic = (json: unknown, frame: Frame): readonly Data[] => {
    const [name = '', ...path] = (frame.event ?? '').split('|');
    switch (name) {
      case 'metadata': {
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
        return messagesIn(json).flatMap((message) => (isInTool(path) ? [] : gathered.put(message)));
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
        if (!IGNORED.has(name)) report({ kind: 'unknown', detail: `The event "${name}" is new.`, frame });
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
      let failure: string | undefined;
      const reader = make({
        gathered,
        newId,
        report,
        values: takeValues,
        custom: takeCustom,
        step: stepTo,
        interrupt: (id, value) => interrupts.set(id, value),
        end(why) {
          failure = why;
          return why === undefined ? close() : [];
        },
      });
      v2 = reader;
      return (json, frame) => {
        if (finish !== undefined) return [];
        const events = [...start(), ...reader.take(json, frame)].map(response);
        return failure === undefined ? events : [...events, ...fail(failure)];
      };
    },
    end: () => (finish === undefined && begun && v2?.isWhole() !== false ? close().map(response) : []),
  };
}

/** For debugging, and marks that say nothing. */
const IGNORED = new Set(['messages/metadata', 'events', 'tasks', 'checkpoints', 'debug', 'end']);

const messagesIn = (list: unknown): readonly LangMessage[] =>
  (Array.isArray(list) ? (list as readonly unknown[]) : [list]).flatMap((item) => readMessage(item) ?? []);
