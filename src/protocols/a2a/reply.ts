/** An A2A agent's results to events. Source: `a2a.md`, "Results", "Finish" and "Errors". */
import type { LLMAgentEventData } from '../../model/agent-events.ts';
import type { A2aAgent } from './card.ts';
import {
  contentOf,
  partsOf,
  stateOf,
  wordsOf,
  type A2aResult,
  type WireArtifact,
  type WireMessage,
  type WireStatus,
} from './wire.ts';
import { snapshotEvents, type Part } from '../shared/snapshot.ts';
import type { AdapterEvent, DecodeContext } from '../adapter.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;
type Of<Kind> = Extract<A2aResult, { readonly kind: Kind }>;

/**
 * Each artifact and each message of the agent is a message of the reply, by the wire's own id: what comes whole takes its
 * place there, whatever was told of it before, also after a connection that broke.
 */
export function makeReply({ eventId, ended }: DecodeContext, agent: A2aAgent | undefined) {
  /** In their order: the artifacts as they are, with what has been told of each. */
  const artifacts = new Map<string, { readonly whole: WireArtifact; readonly parts: readonly Part[] }>();
  const spoken = new Map<string, readonly Part[]>();
  let status: WireStatus = {};
  let history: readonly WireMessage[] = [];
  let answered = false;
  let over = false;
  let facts = '';
  let phase = '';
  /** The first that spoke, which has the phases and the facts, and the last. */
  let first: string | undefined;
  let last: string | undefined;

  const response = (data: Data): AdapterEvent => ({ type: 'response', data: { eventId, ...data } });
  const aside = (data: Data): AdapterEvent =>
    response({ ...(first !== undefined && { message: { id: first } }), ...data });
  const failed = (message: string, code?: string | null): readonly AdapterEvent[] => {
    over = true;
    return [{ type: 'error', data: { eventId, error: message, ...(code && { code }) } }, response({ finish: 'error' })];
  };

  const tell = (id: string, parts: readonly Part[], append = false): readonly AdapterEvent[] => {
    const before = spoken.get(id);
    if (!before && parts.length === 0) return [];
    spoken.set(id, parts);
    first ??= id;
    last = id;
    const speaker = { id };
    const anew: readonly Data[] = before || append ? [] : [{ message: { ...speaker, replace: true } }];
    return [...anew, ...snapshotEvents(speaker, before ?? [], parts)].map(response);
  };
  const say = (message: WireMessage, fallback: string): readonly AdapterEvent[] => {
    if (/user/i.test(message.role ?? '')) return [];
    const id = message.messageId || fallback;
    const parts = toParts(id, partsOf(message));
    // Many agents repeat their result as a closing remark.
    const words = JSON.stringify(parts);
    const said = [...spoken].some(([other, told]) => other !== id && JSON.stringify(told) === words);
    return said ? [] : tell(id, parts);
  };
  const takeArtifact = (next: WireArtifact, append: boolean): readonly AdapterEvent[] => {
    const id = next.artifactId || 'artifact';
    const known = append ? artifacts.get(id) : undefined;
    const whole = { ...next, parts: [...partsOf(known?.whole ?? {}), ...partsOf(next)] };
    const parts = known
      ? join(known.parts, toParts(id, partsOf(next), known.whole.parts?.length))
      : toParts(id, partsOf(next));
    artifacts.set(id, { whole, parts });
    return tell(id, parts, append);
  };
  const shareState = (): AdapterEvent =>
    response({ state: { value: { status, artifacts: [...artifacts.values()].map(({ whole }) => whole) } } });

  const finishNow = (state: string): readonly AdapterEvent[] => {
    switch (state) {
      case 'completed': {
        over = true;
        const words = history.findLast(({ role }) => !/user/i.test(role ?? ''));
        const rest = spoken.size === 0 && words ? say(words, 'history') : [];
        return [...rest, response({ finish: 'complete' }), { type: 'end', data: { eventId, userStop: false } }];
      }
      case 'canceled':
        over = true;
        return [response({ finish: 'cancelled' }), { type: 'end', data: { eventId, userStop: true } }];
      case 'failed':
      case 'rejected':
        return failed(wordsOf(partsOf(status.message ?? {})) || `The agent says that the task is ${state}.`);
      default:
        return [];
    }
  };
  const takeStatus = (next: WireStatus, final: boolean): readonly AdapterEvent[] => {
    status = next;
    const state = stateOf(next);
    const words = next.message ? wordsOf(partsOf(next.message)) : '';
    const events: AdapterEvent[] = [];
    if (state === 'working' || state === 'submitted' || state === 'auth-required') {
      const step = { name: state.replace('-', '_'), ...(words && state === 'working' && { message: words }) };
      // What was told last need not be told again.
      if (JSON.stringify(step) !== phase) {
        phase = JSON.stringify(step);
        events.push(aside({ phase: step }));
      }
    }
    if (next.message && SHOWN.has(state)) events.push(...say(next.message, state));
    events.push(shareState(), ...finishNow(state));
    // An agent that waits for a sign-in elsewhere may keep the stream open and go on.
    if (final || state === 'input-required') ended?.();
    return events;
  };

  const takers: { readonly [Kind in A2aResult['kind']]: (data: Of<Kind>) => readonly AdapterEvent[] } = {
    task: (data) => {
      history = data.history ?? [];
      return [
        ...(data.artifacts ?? []).flatMap((artifact) => takeArtifact(artifact, false)),
        ...takeStatus(data.status, false),
      ];
    },
    message: (data) => {
      answered = true;
      ended?.();
      return say(data, 'message');
    },
    'status-update': (data) => takeStatus(data.status, data.final === true),
    'artifact-update': (data) => {
      const append = data.append === true;
      const events = takeArtifact(data.artifact, append);
      return append && !data.lastChunk ? events : [...events, shareState()];
    },
    error: ({ error }) => {
      const code = error.code ?? error.status;
      const other = agent && WRONG_VERSION.has(code ?? '') ? (agent.version === '1.0' ? '0.3' : '1.0') : undefined;
      const said = error.message || 'The agent reports an error.';
      if (!agent || !other) return failed(said, code);
      return [
        response({ metadata: { version: other } }),
        ...failed(
          `${said} (The agent does not speak A2A ${agent.version} here; the next message goes out as ${other}.)`,
          code,
        ),
      ];
    },
  };

  return {
    take(data: A2aResult, agentIs: Readonly<Record<string, string>>): readonly AdapterEvent[] {
      if (over) return [];
      const place = first;
      // TypeScript cannot tie the key to the argument; the mapped type is the proof.
      const events = takers[data.kind](data as never);
      if (data.kind === 'error') return events;
      const taskId = data.kind === 'task' ? data.id : data.taskId;
      const state = stateOf(status);
      const told = {
        ...agentIs,
        ...(data.contextId && { contextId: data.contextId }),
        ...(taskId && { taskId }),
        ...(state && { taskState: state }),
      };
      if (JSON.stringify(told) === facts) return events;
      facts = JSON.stringify(told);
      // In front: the end comes last.
      return [response({ ...(place !== undefined && { message: { id: place } }), metadata: told }), ...events];
    },
    end(): readonly AdapterEvent[] {
      if (over) return [];
      const state = stateOf(status);
      if (state !== 'input-required' && state !== 'auth-required') {
        return answered ? [response({ finish: 'complete' }), { type: 'end', data: { eventId, userStop: false } }] : [];
      }
      const action_type = state === 'input-required' ? 'question' : 'interrupt';
      const speaker = last === undefined ? {} : { message: { id: last } };
      const request = { id: status.message?.messageId || state };
      return [response({ ...speaker, ask: { action_type }, request }), response({ finish: 'tool_use' })];
    },
  };
}

/** States whose words are for the reader; those of `working` are progress, those of a failure its reason. */
const SHOWN = new Set(['input-required', 'auth-required', 'completed']);
/** Method not found, version not supported. */
const WRONG_VERSION = new Set(['-32601', '-32009']);

/** `from`: how many parts of the artifact came before these. */
function toParts(id: string, list: ReturnType<typeof partsOf>, from = 0): readonly Part[] {
  return list.reduce<readonly Part[]>((parts, item, index) => {
    const content = contentOf(item);
    if (!content) return parts;
    if ('text' in content) return join(parts, [{ kind: 'text', text: content.text }]);
    if ('media' in content) return [...parts, { kind: 'media', media: content.media }];
    const data = { data_type: 'custom', data: content.data } as const;
    return [...parts, { kind: 'data', id: `${id}/${String(from + index)}`, data }];
  }, []);
}

/** Text goes on with text. */
function join(before: readonly Part[], after: readonly Part[]): readonly Part[] {
  const [last, next] = [before.at(-1), after[0]];
  if (last?.kind !== 'text' || next?.kind !== 'text') return [...before, ...after];
  return [...before.slice(0, -1), { kind: 'text', text: last.text + next.text }, ...after.slice(1)];
}
