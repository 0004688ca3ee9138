/**
 * Converts `<think>…</think>` at the start of a message to reasoning, in the events of a decoder. For protocols that
 * have no event for the reasoning of a model: their servers pass its tags on in the text.
 */
import type { LLMAgentEventData } from '../../model/agent-events.ts';
import type { AdapterEvent } from '../core/adapter.ts';
import { splitThinkTags, type ThinkTagChunk, type ThinkTagSplitter } from './think-tags.ts';

export interface ThinkTagReader {
  read(events: readonly AdapterEvent[]): readonly AdapterEvent[];
  /** The stream is complete: a partial tag was text after all. */
  end(): readonly AdapterEvent[];
}

type Data = Omit<LLMAgentEventData, 'eventId'>;

const textOf = (event: AdapterEvent): Data => (event.type === 'text' ? { content: event.content } : {});

export function readThinkTags(eventId: string): ThinkTagReader {
  /** By message: in a reply of several agents, each message may begin with a tag. */
  const splitters = new Map<string, ThinkTagSplitter>();
  let current = '';
  const toEvent = (data: Data, chunk: ThinkTagChunk): AdapterEvent => ({
    type: 'response',
    data: {
      ...data,
      eventId,
      ...(chunk.kind === 'text' && { content: chunk.text }),
      ...(chunk.kind === 'reasoning' && { reasoning_content: chunk.text }),
      ...(chunk.kind === 'text-was-reasoning' && { content_was_reasoning: true }),
    },
  });
  const messageData = (id: string) => (id === '' ? {} : { message: { id } });
  const flush = (): readonly AdapterEvent[] =>
    [...splitters].flatMap(([id, splitter]) => splitter.end().map((chunk) => toEvent(messageData(id), chunk)));

  return {
    read: (events) =>
      events.flatMap((event) => {
        const { content, ...data } = event.type === 'response' ? event.data : textOf(event);
        // Anything else, such as a tool call, comes after the text that was held back.
        if (!content) return [...flush(), event];
        // Text without a message continues the current one.
        current = data.message?.id ?? current;
        const splitter = splitters.get(current) ?? splitThinkTags();
        splitters.set(current, splitter);
        return splitter.feed(content).map((chunk) => toEvent(data, chunk));
      }),
    end: flush,
  };
}
