/** Converts AgentScope messages to the events of one reply. */
import { asText } from '../shared/as-text.ts';
import { resultHeader, type ResultHeader } from '../../formats/agentscope-messages.ts';
import {
  callTypeOf,
  isCall,
  knownBlocks,
  parseToolResult,
  resultCallId,
  resultMediaId,
  toolResultsIn,
  type Msg,
} from '../../formats/agentscope-msg.ts';
import type { LLMAgentEvent, LLMAgentEventData } from '../../model/events/agent-events.ts';
import type { DecodeContext } from '../core/adapter.ts';
import { endWithOpenCalls } from '../core/own-calls.ts';
import { snapshotEvents, type Part } from '../shared/snapshot.ts';
import { partsOf, withName } from './parts.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;
type Author = NonNullable<LLMAgentEventData['message']>;
type ResultBlock = ReturnType<typeof toolResultsIn>[number];

/** How a message ended, as its newest snapshot says. */
export interface Ending {
  readonly error?: string;
  readonly isInterrupted?: boolean;
}

/** What is known of a snapshot beside its message. */
interface Envelope extends Ending {
  /** The frame of the message, if that is a list. */
  readonly list?: readonly unknown[] | undefined;
  /** Whether the server has announced a further snapshot. */
  readonly isPartial?: boolean;
}

/** The newest snapshot of a message, and the parts emitted for it. */
interface Snapshot {
  readonly message: Msg;
  readonly parts: readonly Part[];
  readonly ending: Ending;
}

/** A message without an id, its number among those of its speaker, and its frame if that is a list. */
interface Unnamed {
  readonly message: Msg;
  readonly number: number;
  readonly list: readonly unknown[] | undefined;
}

/** The final result of a call. */
interface Result {
  readonly shown: Pick<Extract<Part, { kind: 'tool' }>, 'response' | 'failed'>;
  readonly media: readonly Extract<Part, { kind: 'media' }>[];
  /** The other fields of the message that contained the result. */
  readonly metadata?: Msg['metadata'];
  readonly header?: ResultHeader;
}

/** The state of one reply, and what each message does. */
export class MsgReply {
  readonly #context: DecodeContext;
  readonly #snapshots = new Map<string, Snapshot>();
  /** The stored fields of each message by id, as JSON. */
  readonly #stored = new Map<string, string>();
  /** The newest message without an id by speaker. */
  readonly #unnamed = new Map<string, Unnamed>();
  #lastSpeaker: string | undefined;
  /** Messages with results of unknown calls, which the next message of an agent may contain. */
  #earlyResults: readonly Msg[] = [];
  /** The newest final result by call id. */
  readonly #results = new Map<string, Result>();
  /** The output so far of the calls that still run, by call id. */
  readonly #running = new Map<string, string>();
  #hasFailed = false;
  /** Whether the server has announced a further snapshot. */
  #isPartial = false;

  constructor(context: DecodeContext) {
    this.#context = context;
  }

  take(message: Msg, { list, isPartial = false, ...ending }: Envelope): readonly LLMAgentEvent[] {
    // User messages are history. From tool and system messages, only results of calls are read.
    if (message.role === 'USER') return [];
    this.#isPartial = isPartial;
    if (message.role !== 'ASSISTANT') {
      if (message.role !== 'TOOL' || !this.#isEarly(message)) return this.#takeResults(message);
      this.#earlyResults = [...this.#earlyResults, message];
      return [];
    }
    const id = message.id ? this.#distinctId(message.id, message) : this.#generatedId(message, list);
    this.#lastSpeaker = speakerNameOf(message);
    return [...this.#takeMessage(id, message, ending), ...this.#takeResults(message), ...this.#takeEarlyResults()];
  }

  fail(error: string): readonly LLMAgentEvent[] {
    this.#hasFailed = true;
    return [{ type: 'error', data: { eventId: this.#context.eventId, error } }];
  }

  end(): readonly LLMAgentEvent[] {
    const snapshots = [...this.#snapshots];
    const last = snapshots.at(-1)?.[1];
    const events = [
      ...snapshots.flatMap(([id, { message, ending }]) => this.#takeMessage(id, message, ending, true)),
      ...this.#takeEarlyResults(),
      ...snapshots.flatMap(([id, snapshot]) => this.#showError(id, snapshot)),
    ];
    if (this.#hasFailed || last?.ending.error !== undefined) return [...events, ...this.#stop('error')];
    if (last?.ending.isInterrupted) return [...events, ...this.#stop('cancelled')];
    return last && !this.#isPartial ? [...events, ...this.#complete()] : events;
  }

  /** Shows the error of a message in that message. Another agent may be the last to speak. */
  #showError(id: string, { message, ending: { error } }: Snapshot): readonly LLMAgentEvent[] {
    if (error === undefined) return [];
    const { eventId } = this.#context;
    return [
      ...this.#responses([{ message: authorFieldsOf(id, message) }]),
      { type: 'error', data: { eventId, error } },
    ];
  }

  #stop(finish: 'error' | 'cancelled'): readonly LLMAgentEvent[] {
    const { eventId } = this.#context;
    return [...this.#responses([{ finish }]), { type: 'end', data: { eventId, userStop: finish === 'cancelled' } }];
  }

  #complete(): readonly LLMAgentEvent[] {
    const messages = [...this.#snapshots.values()].map(({ message }) => message);
    const last = messages.at(-1);
    const open = messages.flatMap((message) =>
      knownBlocks(message).flatMap((block) =>
        block.type === 'tool_use' && !this.#results.has(block.id)
          ? [{ id: block.id, name: block.name, isLast: message === last }]
          : [],
      ),
    );
    return endWithOpenCalls(open, this.#context);
  }

  /** @param final - whether the reply has ended */
  #takeMessage(id: string, message: Msg, ending: Ending, final = false): readonly LLMAgentEvent[] {
    const parts = partsOf(message, final);
    const earlier = this.#snapshots.get(id)?.parts;
    const author = authorFieldsOf(id, message);
    this.#snapshots.set(id, { message, parts, ending });
    return this.#responses([
      ...(earlier ? [] : [{ message: author }]),
      ...snapshotEvents(author, this.#withResults(earlier ?? []), this.#withResults(parts)),
      ...this.#storedFields(author, message),
    ]);
  }

  /** Whether a message has results of calls that no message has contained yet. */
  #isEarly({ content }: Msg): boolean {
    const ids = toolResultsIn(content).map(resultCallId);
    return ids.some((id) => id !== undefined && !this.#results.has(id) && !this.#callerOf(id));
  }

  #takeEarlyResults(): readonly LLMAgentEvent[] {
    const messages = this.#earlyResults;
    this.#earlyResults = [];
    return messages.flatMap((message) => this.#takeResults(message));
  }

  #takeResults(message: Msg): readonly LLMAgentEvent[] {
    return this.#responses(
      toolResultsIn(message.content).flatMap((block) => {
        const id = resultCallId(block);
        const isFinal = block.state !== 'running';
        if (id === undefined || (this.#results.has(id) && !isFinal)) return [];
        const caller = this.#callerOf(id);
        // A system message is history, unless it has the result of a known call, as on some servers.
        if (message.role === 'SYSTEM' && !caller) return [];
        return isFinal ? this.#takeResult(id, block, message, caller) : this.#addOutput(id, block);
      }),
    );
  }

  /** Emits the new output of a call that still runs. */
  #addOutput(id: string, block: ResultBlock): readonly Data[] {
    const { text } = parseToolResult(block);
    const before = this.#running.get(id) ?? '';
    this.#running.set(id, text);
    const added = text.startsWith(before) ? text.slice(before.length) : text;
    return added ? [{ ...callOf(id, block), tool_call: 'running', tool_call_response: added }] : [];
  }

  #takeResult(
    id: string,
    block: ResultBlock,
    message: Msg,
    caller: (Snapshot & { readonly author: Author }) | undefined,
  ): readonly Data[] {
    const known = this.#results.get(id);
    if (known && !caller) return [];
    const before = caller ? this.#withResults(caller.parts) : [];
    const { text, failed, media } = parseToolResult(block);
    const shown = media.map(
      (item, index) => ({ kind: 'media', id: resultMediaId(id, index), media: withName(item) }) as const,
    );
    this.#results.set(id, {
      ...known,
      shown: { response: text, failed },
      media: shown,
      ...(message.role !== 'ASSISTANT' && envelopeOf(message)),
    });
    const resultEvents: readonly Data[] =
      known && caller
        ? snapshotEvents(caller.author, before, this.#withResults(caller.parts))
        : [
            { ...callOf(id, block), tool_call: failed ? 'error' : 'end', tool_call_response: text },
            ...shown.map((item) => ({
              media: item.media,
              data_id: item.id,
              ...(caller && { message: caller.author }),
            })),
          ];
    return [...resultEvents, ...(caller ? this.#storedFields(caller.author, caller.message) : [])];
  }

  /** The parts with their emitted results: a snapshot that replaces everything repeats them. */
  #withResults(list: readonly Part[]): readonly Part[] {
    return list.flatMap((part) => {
      const result = part.kind === 'tool' ? this.#results.get(part.id) : undefined;
      return result ? [{ ...part, ...result.shown }, ...result.media] : [part];
    });
  }

  /** The author of a call, because its result may arrive while another agent speaks. */
  #callerOf(callId: string): (Snapshot & { readonly author: Author }) | undefined {
    const [id, snapshot] = [...this.#snapshots].findLast(([, { message }]) => hasCall(message, callId)) ?? [];
    return id === undefined || !snapshot ? undefined : { author: authorFieldsOf(id, snapshot.message), ...snapshot };
  }

  /** Emits the message's own metadata and time, which the next request sends back to the agent. */
  #storedFields(author: Author, { metadata, timestamp, content }: Msg): readonly Data[] {
    const calls = content.flatMap((block) => (isCall(block) ? [asText(block['id'])] : []));
    const byCall = (name: 'metadata' | 'header') =>
      Object.fromEntries(
        calls.flatMap((id) => {
          const value = this.#results.get(id)?.[name];
          return value ? [[id, value] as const] : [];
        }),
      );
    const fields = {
      metadata,
      ...callTypeOf({ content }),
      results: byCall('metadata'),
      resultHeaders: byCall('header'),
    };
    const own = Object.entries(fields).filter(([name, value]) => name === 'metadata' || Object.keys(value).length > 0);
    const original = { ...Object.fromEntries(own), ...(timestamp != null && { timestamp }) };
    const json = JSON.stringify(original);
    if (this.#stored.get(author.id) === json || (Object.keys(metadata).length === 0 && own.length === 1)) return [];
    this.#stored.set(author.id, json);
    return [{ message: author, metadata: { msg: original } }];
  }

  /** Two agents that each count their messages use the same ids: the id of the second one gets its name. */
  #distinctId(id: string, { name }: Msg): string {
    const first = this.#snapshots.get(id)?.message.name;
    return name == null || first == null || name === first ? id : `${id}.${name}`;
  }

  /**
   * Assigns an id to a message without one: a continuation of the speaker's last message reuses its id, any other
   * message gets the next one. A message with the same text gets the next one too if another agent has spoken in between, as
   * for a vote in the next round, unless a new list repeats it.
   */
  #generatedId(message: Msg, list: readonly unknown[] | undefined): string {
    const speaker = speakerNameOf(message);
    const last = this.#unnamed.get(speaker);
    const isNextTurn =
      last !== undefined &&
      this.#lastSpeaker !== speaker &&
      (list === undefined || last.list === list) &&
      isSameText(last.message, message);
    const isNew = !last || isNextTurn || !isContinuation(last.message, message);
    const number = (last?.number ?? 0) + (isNew ? 1 : 0);
    this.#unnamed.set(speaker, { message, number, list });
    return number === 1 ? speaker : `${speaker}.${String(number)}`;
  }

  #responses(items: readonly Data[]): readonly LLMAgentEvent[] {
    return items.map((data) => ({ type: 'response', data: { eventId: this.#context.eventId, ...data } }));
  }
}

const callOf = (id: string, { name }: ResultBlock): Data => ({
  tool_call_id: id,
  ...(name && { tool_call_name: name }),
});

/** The fields of a message with a result that the next request sends back. */
function envelopeOf(message: Msg): Pick<Result, 'metadata' | 'header'> {
  const { metadata } = message;
  const header = resultHeader(message);
  return {
    ...(Object.keys(metadata).length > 0 && { metadata }),
    ...(Object.keys(header).length > 0 && { header }),
  };
}

const authorFieldsOf = (id: string, { name }: Msg): NonNullable<LLMAgentEventData['message']> => ({
  id,
  ...(name != null && { name }),
});

/** The agent that has sent a message: without a name, the role stands for it. */
const speakerNameOf = ({ name, role }: Msg): string => name ?? role.toLowerCase();

const hasCall = ({ content }: Msg, callId: string): boolean =>
  content.some((block) => isCall(block) && asText(block['id']) === callId);

/**
 * Whether the second message continues the first: its blocks are equal, except that the text of the last one is longer.
 */
const isContinuation = (before: Msg, after: Msg): boolean =>
  before.content.every((block, index) => {
    const next = after.content[index];
    if (next?.type !== block.type) return false;
    if (isCall(block)) return next['id'] === block['id'];
    const [beforeText, afterText] = [blockText(block), blockText(next)];
    const last = index === before.content.length - 1;
    return last && beforeText !== undefined
      ? afterText?.startsWith(beforeText) === true
      : JSON.stringify(block) === JSON.stringify(next);
  });

/** Whether two messages have the same content, without calls. With a call it is one message sent twice: call ids are unique. */
const isSameText = (before: Msg, after: Msg): boolean =>
  after.content.length > 0 &&
  !after.content.some(isCall) &&
  JSON.stringify(before.content) === JSON.stringify(after.content);

const blockText = ({ text, thinking, hint }: Msg['content'][number]): string | undefined =>
  [text, thinking, hint].find((value) => typeof value === 'string');
