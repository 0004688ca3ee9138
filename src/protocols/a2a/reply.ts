/**
 * Converts the results of an A2A agent to events. Source: `docs/protocols/a2a.md`; A2A specification, "Task" and "Artifact".
 */
import type { LLMAgentEventData } from '../../model/agent-events.ts';
import { isCardUrl, type A2aAgent } from './card.ts';
import {
  partContent,
  partsOfMessage,
  a2aTaskState,
  textOfParts,
  type A2aResult,
  type WireArtifact,
  type WireMessage,
  type WireStatus,
} from './wire.ts';
import { a2uiMessages } from '../shared/a2ui-messages.ts';
import { isSamePart, snapshotEvents, type Part } from '../shared/snapshot.ts';
import { currentMetadata } from '../shared/last-metadata.ts';
import type { AdapterEvent, DecodeContext } from '../core/adapter.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;
type ResultOf<Kind> = Extract<A2aResult, { readonly kind: Kind }>;

/**
 * Each artifact and each agent message is a message of the reply, with the server's id. A complete one replaces what was
 * emitted for that id before, also after a broken connection.
 */
export function makeA2aDecoder({ eventId, ended, turn, url }: DecodeContext<A2aAgent>, agent: A2aAgent | undefined) {
  /** The artifacts in their order: the accumulated artifact and the parts emitted for it. */
  const artifacts = new Map<string, { readonly artifact: WireArtifact; readonly parts: readonly Part[] }>();
  const partsById = new Map<string, readonly Part[]>();
  let status: WireStatus = {};
  let history: readonly WireMessage[] = [];
  let answered = false;
  let isOver = false;
  let lastMetadata = '';
  let lastPhase = '';
  /** The first message, which carries phases and metadata, and the last one. */
  let firstId: string | undefined;
  let lastId: string | undefined;

  const response = (data: Data): AdapterEvent => ({ type: 'response', data: { eventId, ...data } });
  const onFirstMessage = (data: Data): AdapterEvent =>
    response({ ...(firstId !== undefined && { message: { id: firstId } }), ...data });
  const fail = (message: string, code?: string | null): readonly AdapterEvent[] => {
    isOver = true;
    return [{ type: 'error', data: { eventId, error: message, ...(code && { code }) } }, response({ finish: 'error' })];
  };

  const emitParts = (id: string, parts: readonly Part[], append = false): readonly AdapterEvent[] => {
    const earlierParts = partsById.get(id);
    if (!earlierParts && parts.length === 0) return [];
    partsById.set(id, parts);
    firstId ??= id;
    lastId = id;
    const messageRef = { id };
    const replacement: readonly Data[] = earlierParts || append ? [] : [{ message: { ...messageRef, replace: true } }];
    return [...replacement, ...snapshotEvents(messageRef, earlierParts ?? [], parts)].map(response);
  };
  const emitMessage = (message: WireMessage, fallback: string): readonly AdapterEvent[] => {
    if (/user/i.test(message.role ?? '')) return [];
    const id = message.messageId || fallback;
    const parts = toParts(id, partsOfMessage(message));
    // Many agents repeat their result as a closing message.
    const isRepeated = [...partsById].some(
      ([other, otherParts]) =>
        other !== id &&
        otherParts.length === parts.length &&
        parts.every((part, index) => isSamePart(part, otherParts[index] ?? part)),
    );
    return isRepeated ? [] : emitParts(id, parts);
  };
  const takeArtifact = (next: WireArtifact, append: boolean): readonly AdapterEvent[] => {
    const id = next.artifactId || 'artifact';
    const earlier = append ? artifacts.get(id) : undefined;
    const merged = { ...next, parts: [...partsOfMessage(earlier?.artifact ?? {}), ...partsOfMessage(next)] };
    const parts = earlier
      ? join(earlier.parts, toParts(id, partsOfMessage(next), earlier.artifact.parts?.length))
      : toParts(id, partsOfMessage(next));
    artifacts.set(id, { artifact: merged, parts });
    return emitParts(id, parts, append);
  };
  const shareState = (): AdapterEvent =>
    response({ state: { value: { status, artifacts: [...artifacts.values()].map(({ artifact }) => artifact) } } });

  const finishNow = (state: string): readonly AdapterEvent[] => {
    switch (state) {
      case 'completed': {
        isOver = true;
        const lastMessage = history.findLast(({ role }) => !/user/i.test(role ?? ''));
        const closing = partsById.size === 0 && lastMessage ? emitMessage(lastMessage, 'history') : [];
        return [...closing, response({ finish: 'complete' }), { type: 'end', data: { eventId, userStop: false } }];
      }
      case 'canceled':
        isOver = true;
        return [response({ finish: 'cancelled' }), { type: 'end', data: { eventId, userStop: true } }];
      case 'failed':
      case 'rejected':
        return fail(textOfParts(partsOfMessage(status.message ?? {})) || `The agent says that the task is ${state}.`);
      default:
        return [];
    }
  };
  const takeStatus = (next: WireStatus, final: boolean): readonly AdapterEvent[] => {
    status = next;
    const state = a2aTaskState(next);
    const text = next.message ? textOfParts(partsOfMessage(next.message)) : '';
    const events: AdapterEvent[] = [];
    if (state === 'working' || state === 'submitted' || state === 'auth-required') {
      const step = { name: state.replace('-', '_'), ...(text && state === 'working' && { message: text }) };
      // An unchanged phase is not emitted again.
      if (JSON.stringify(step) !== lastPhase) {
        lastPhase = JSON.stringify(step);
        events.push(onFirstMessage({ phase: step }));
      }
    }
    if (next.message && SHOWN_STATES.has(state)) events.push(...emitMessage(next.message, state));
    events.push(shareState(), ...finishNow(state));
    // An agent that waits for a sign-in (`auth-required`) may keep the stream open and continue.
    if (final || state === 'input-required') ended?.();
    return events;
  };

  const handlers: { readonly [Kind in A2aResult['kind']]: (data: ResultOf<Kind>) => readonly AdapterEvent[] } = {
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
      return emitMessage(data, 'message');
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
      const errorText = error.message || 'The agent reports an error.';
      if (!agent || !other) return fail(errorText, code);
      // The server did nothing for an unknown method, so the request is repeated once per turn in the other version. The
      // version of a card is not changed.
      const isFixed = url === undefined || currentMetadata(turn.messages, 'version') !== undefined || isCardUrl(url);
      if (!isFixed) return [response({ metadata: { version: other }, paused: true, finish: 'complete' })];
      return [
        response({ metadata: { version: other } }),
        ...fail(
          `${errorText} (The agent does not support A2A ${agent.version} here; the next message is sent as ${other}.)`,
          code,
        ),
      ];
    },
  };

  return {
    take(data: A2aResult, agentMetadata: Readonly<Record<string, string>>): readonly AdapterEvent[] {
      if (isOver) return [];
      const messageId = firstId;
      // TypeScript cannot relate the key to the argument type; the mapped type guarantees it.
      const events = handlers[data.kind](data as never);
      if (data.kind === 'error') return events;
      const taskId = data.kind === 'task' ? data.id : data.taskId;
      const state = a2aTaskState(status);
      const metadata = {
        ...agentMetadata,
        ...(data.contextId && { contextId: data.contextId }),
        ...(taskId && { taskId }),
        ...(state && { taskState: state }),
      };
      if (JSON.stringify(metadata) === lastMetadata) return events;
      lastMetadata = JSON.stringify(metadata);
      // Comes first, because the `end` event must be the last one.
      return [response({ ...(messageId !== undefined && { message: { id: messageId } }), metadata }), ...events];
    },
    end(): readonly AdapterEvent[] {
      if (isOver) return [];
      const state = a2aTaskState(status);
      if (state !== 'input-required' && state !== 'auth-required') {
        return answered ? [response({ finish: 'complete' }), { type: 'end', data: { eventId, userStop: false } }] : [];
      }
      // Any message continues the task, and a surface is the form for it. A question beside it would take its button for text.
      const hasSurface = [...partsById.values()].flat().some(({ kind }) => kind === 'ui');
      if (hasSurface && state === 'input-required') {
        return [response({ finish: 'complete' }), { type: 'end', data: { eventId, userStop: false } }];
      }
      const action_type = state === 'input-required' ? 'question' : 'interrupt';
      const messageRef = lastId === undefined ? {} : { message: { id: lastId } };
      const request = { id: status.message?.messageId || state };
      return [response({ ...messageRef, ask: { action_type }, request }), response({ finish: 'tool_use' })];
    },
  };
}

/** States whose message is shown to the user. The text of `working` is progress, that of a failure is its reason. */
const SHOWN_STATES = new Set(['input-required', 'auth-required', 'completed']);
/** JSON-RPC error codes: method not found, version not supported. */
const WRONG_VERSION = new Set(['-32601', '-32009']);

/** Converts wire parts to snapshot parts. `from`: number of parts of the artifact before these. */
function toParts(id: string, list: ReturnType<typeof partsOfMessage>, from = 0): readonly Part[] {
  return list.reduce<readonly Part[]>((parts, item, index) => {
    const content = partContent(item);
    if (!content) return parts;
    if ('text' in content) return join(parts, [{ kind: 'text', text: content.text }]);
    if ('media' in content) return [...parts, { kind: 'media', media: content.media }];
    const messages = a2uiMessages(content.data);
    if (messages && messages.length > 0)
      return join(parts, [{ kind: 'ui', id: `${id}/${String(from + index)}`, messages }]);
    const data = { data_type: 'custom', data: content.data } as const;
    return [...parts, { kind: 'data', id: `${id}/${String(from + index)}`, data }];
  }, []);
}

/** Appends parts; adjacent text, and adjacent messages about surfaces, are merged into one part. */
function join(before: readonly Part[], after: readonly Part[]): readonly Part[] {
  const [last, next] = [before.at(-1), after[0]];
  if (last?.kind === 'ui' && next?.kind === 'ui') {
    return [...before.slice(0, -1), { ...last, messages: [...last.messages, ...next.messages] }, ...after.slice(1)];
  }
  if (last?.kind !== 'text' || next?.kind !== 'text') return [...before, ...after];
  return [...before.slice(0, -1), { kind: 'text', text: last.text + next.text }, ...after.slice(1)];
}
