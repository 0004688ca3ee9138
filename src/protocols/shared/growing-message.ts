/** What has been told of one message, for protocols that stream it in pieces and may say all of it again. */
import type { LLMAgentEventData } from '../../model/agent-events.ts';
import { snapshotEvents, type Part } from './snapshot.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;
type Speaker = NonNullable<LLMAgentEventData['message']>;
type Thing = Extract<Part, { readonly kind: 'tool' | 'media' }>;

export interface GrowingMessage {
  /** A piece behind what was said. */
  say(kind: 'text' | 'reasoning', piece: string): readonly Data[];
  /** Something to look at, or a call of a tool that the server runs: a new one, or one further on. */
  put(thing: Thing): readonly Data[];
  /** All of its words anew; calls and pictures stay. */
  rewrite(words: readonly Part[]): readonly Data[];
  /** Its words so far. */
  text(): string;
}

export function growingMessage(speaker: Speaker): GrowingMessage {
  let parts: readonly Part[] = [];
  return {
    say(kind, piece) {
      if (piece === '') return [];
      const last = parts.at(-1);
      // Not by a snapshot, which would compare all that was said with every piece.
      parts =
        last?.kind === kind
          ? [...parts.slice(0, -1), { kind, text: last.text + piece }]
          : [...parts, { kind, text: piece }];
      return [{ message: speaker, ...(kind === 'text' ? { content: piece } : { reasoning_content: piece }) }];
    },
    put(thing) {
      const known =
        thing.kind === 'tool' ? parts.findIndex((part) => part.kind === 'tool' && part.id === thing.id) : -1;
      // Only this one is told: what stands behind it has not changed.
      const before = known < 0 ? [] : parts.slice(known, known + 1);
      parts = known < 0 ? [...parts, thing] : parts.with(known, thing);
      return snapshotEvents(speaker, before, [thing]).map(asRemote);
    },
    rewrite(words) {
      const place = parts.findIndex(isWords);
      const front = place < 0 ? parts : parts.slice(0, place);
      const after = [...front, ...words, ...parts.slice(front.length).filter((part) => !isWords(part))];
      const events = snapshotEvents(speaker, parts, after);
      parts = after;
      return events.map(asRemote);
    },
    text: () => parts.map((part) => (part.kind === 'text' ? part.text : '')).join(''),
  };
}

const isWords = ({ kind }: Part): boolean => kind === 'text' || kind === 'reasoning';
const asRemote = (data: Data): Data => (data.tool_call === undefined ? data : { ...data, tool_call_remote: true });
