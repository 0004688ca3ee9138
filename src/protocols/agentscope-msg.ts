/**
 * AgentScope messages (`agentscope-msg`). Source: the "message system architecture" document; its page is
 * `seed-agentscope-msg.md`.
 */
import { toMsgs } from '../model/agentscope-history.ts';
import { callIdOf, knownBlocks, msg, readToolResult, resultsIn, toMedia, type Msg } from '../model/agentscope-msg.ts';
import type { Media } from '../model/blocks.ts';
import type { LLMAgentEvent, LLMAgentEventData } from '../model/agent-events.ts';
import { detectAgentscopeMsg } from './detect/agentscope.ts';
import { sentHistory } from './shared/history.ts';
import { isRecord } from '../model/json.ts';
import { fit, readJsonFrames, withoutNulls } from './shared/read-frames.ts';
import { snapshotEvents, type Part } from './shared/snapshot.ts';
import { splitThinkTags } from './shared/think-tags.ts';
import type { Adapter, DecodeContext } from './adapter.ts';

export const agentscopeMsg: Adapter = {
  id: 'agentscope-msg',
  label: 'AgentScope messages',
  kind: 'agent',
  detect: detectAgentscopeMsg,

  // The messages go as they are: an endpoint of AgentScope does the formatting for its model itself.
  request: (turn, { url, headers = {} }) => ({
    url,
    init: {
      method: 'POST',
      headers: { accept: 'text/event-stream, application/x-ndjson', ...headers },
      body: { messages: toMsgs(sentHistory(turn)) },
    },
  }),

  async *decode(batches, context) {
    const { report } = context;
    const reply = makeReply(context);
    for await (const batch of batches) {
      const events: LLMAgentEvent[] = [];
      for (const { json, frame } of readJsonFrames(batch, report)) {
        for (const item of Array.isArray(json) ? (json as unknown[]) : [json]) {
          const bare = isRecord(item) && 'msg' in item ? item['msg'] : item;
          const message = fit(msg, withoutNulls(bare), frame, report);
          if (message) events.push(...reply.take(message));
        }
      }
      yield events;
    }
    yield reply.end();
  },
};

interface Reply {
  take(message: Msg): readonly LLMAgentEvent[];
  end(): readonly LLMAgentEvent[];
}

function makeReply({ eventId }: DecodeContext): Reply {
  /** By id: the newest snapshot of each message, and what has been told of it. */
  const known = new Map<string, { message: Msg; parts: readonly Part[] }>();
  /** By call: how it ended, and the words of those that still run. */
  const results = new Map<string, Pick<Extract<Part, { kind: 'tool' }>, 'response' | 'failed'>>();
  const running = new Map<string, string>();
  const response = (data: Omit<LLMAgentEventData, 'eventId'>): LLMAgentEvent => ({
    type: 'response',
    data: { eventId, ...data },
  });

  const say = (id: string, message: Msg, final: boolean): readonly LLMAgentEvent[] => {
    const parts = partsOf(message, final);
    const before = known.get(id)?.parts;
    // What has been told of a call is its result too: a snapshot that says all anew says that again.
    const answeredParts = (list: readonly Part[]): readonly Part[] =>
      list.map((part) => (part.kind === 'tool' ? { ...part, ...results.get(part.id) } : part));
    const speaker = { id, name: message.name };
    known.set(id, { message, parts });
    const events = snapshotEvents(speaker, answeredParts(before ?? []), answeredParts(parts));
    return [...(before ? [] : [{ message: speaker }]), ...events].map(response);
  };
  const answer = (message: Msg): readonly LLMAgentEvent[] =>
    resultsIn(message.content).flatMap((block) => {
      const id = callIdOf(block);
      if (id === undefined || results.has(id)) return [];
      const { text, failed, media } = readToolResult(block);
      const call = { tool_call_id: id, ...(block.name && { tool_call_name: block.name }) };
      if (block.state === 'running') {
        const before = running.get(id) ?? '';
        running.set(id, text);
        const more = text.startsWith(before) ? text.slice(before.length) : text;
        return more ? [response({ ...call, tool_call: 'running', tool_call_response: more })] : [];
      }
      results.set(id, { response: text, failed });
      return [
        response({ ...call, tool_call: failed ? 'error' : 'end', tool_call_response: text }),
        ...media.map((item) => response({ media: withName(item) })),
      ];
    });

  return {
    take(message) {
      // Section 7: what the system and the user said is history.
      if (message.role === 'SYSTEM' || message.role === 'USER') return [];
      if (message.role === 'TOOL') return answer(message);
      const id = message.id ?? message.name;
      return [...say(id, message, false), ...answer(message)];
    },
    end() {
      const events = [...known].flatMap(([id, { message }]) => say(id, message, true));
      const last = [...known.values()].at(-1)?.message;
      if (!last) return events;
      const open = knownBlocks(last).some((block) => block.type === 'tool_use' && !results.has(block.id));
      const finish = response({ finish: open ? 'tool_use' : 'complete' });
      return open ? [...events, finish] : [...events, finish, { type: 'end', data: { eventId, userStop: false } }];
    },
  };
}

function partsOf(message: Msg, final: boolean): readonly Part[] {
  return knownBlocks(message).flatMap((block): readonly Part[] => {
    switch (block.type) {
      case 'text':
        return splitThoughts(block.text, final);
      case 'thinking':
        return [{ kind: 'reasoning', text: block.thinking }];
      case 'hint':
        return [{ kind: 'text', text: block.hint }];
      case 'tool_use':
        return [{ kind: 'tool', id: block.id, name: block.name, params: JSON.stringify(block.input) }];
      case 'tool_result':
        return [];
      default: {
        const media = toMedia(block);
        return media ? [{ kind: 'media', media: withName(media) }] : [];
      }
    }
  });
}

/** Section 2: a file on the server can't be shown here; its name can. */
const withName = (media: Media): Media => {
  const [, name] = /^file:.*\/([^/]+)$/.exec(media.url ?? '') ?? [];
  return name === undefined || media.name !== undefined ? media : { ...media, name };
};

/** Section 3: raw `<think>` tags become reasoning; half of a tag is not shown while the message may still grow. */
function splitThoughts(text: string, final: boolean): readonly Part[] {
  const splitter = splitThinkTags();
  const parts: Part[] = [];
  for (const piece of [...splitter.feed(text), ...(final ? splitter.end() : [])]) {
    if (piece.kind === 'text-was-reasoning') {
      for (const [index, part] of parts.entries())
        if (part.kind === 'text') parts[index] = { ...part, kind: 'reasoning' };
    } else if (parts.at(-1)?.kind === piece.kind) {
      parts[parts.length - 1] = { kind: piece.kind, text: (parts.at(-1) as { text: string }).text + piece.text };
    } else parts.push(piece);
  }
  return parts;
}
