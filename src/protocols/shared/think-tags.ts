import type { LLMAgentEventData } from '../../model/events/agent-events.ts';
import type { AdapterEvent } from '../core/adapter.ts';

/**
 * A chunk of an answer, classified as text or reasoning. `text-was-reasoning`: the text so far turned out to be
 * reasoning.
 */
export type ThinkTagChunk =
  | { readonly kind: 'text' | 'reasoning'; readonly text: string }
  | { readonly kind: 'text-was-reasoning' };

export interface ThinkTagSplitter {
  feed(text: string): readonly ThinkTagChunk[];
  /** Emits the rest: the answer is complete, so a partial tag was text. */
  end(): readonly ThinkTagChunk[];
}

const OPEN = ['<think>', '<thinking>', '<reasoning>', '◁think▷'];
const CLOSE = ['</think>', '</thinking>', '</reasoning>', '◁/think▷'];

/** A closing tag without an opening one, alone on its line. Inside a sentence it is text about such tags. */
const LONE_CLOSE = /(?:^|\n)(?:<\/(?:think|thinking|reasoning)>|◁\/think▷)[ \t]*(?:\n|$)/;
/** Text that contains no tag and whose end can't start one. */
const TAGLESS = /^[^<◁]*[^<◁\s]$/;
/** `LONE_CLOSE` for text that follows emitted text without a line end. */
const LONE_CLOSE_LATER = new RegExp(LONE_CLOSE.source.replace('(?:^|\\n)', '\\n'));

/**
 * Separates `<think>…</think>` from an answer, only at its very start, where models write it, together with the
 * adjacent line ends. With the chat templates of DeepSeek R1 and its relatives only the closing tag arrives. A tag may
 * be split between chunks.
 * Source: `docs/protocols/openai-chat.md`.
 */
export function splitThinkTags(): ThinkTagSplitter {
  /**
   * `opened`: directly after the opening tag. `thought`: inside the tags. `plain`: text that a later closing tag may turn
   * into reasoning. `gap`: directly after the closing tag. `text`: the rest.
   */
  let state: 'start' | 'opened' | 'thought' | 'plain' | 'gap' | 'text' = 'start';
  let buffer = '';
  /** Leading white space, apart from the buffer: scanning it again for each chunk would take quadratic time. */
  let leadingSpace = '';
  /** The last character emitted as plain text. */
  let lastPlain = '';

  const findClose = (isComplete: boolean): TagMatch | undefined => {
    if (state === 'thought') return firstTag(buffer, CLOSE);
    return findLoneClose(buffer, lastPlain === '' || lastPlain === '\n' ? LONE_CLOSE : LONE_CLOSE_LATER, isComplete);
  };
  /** Runs one step of the current state; returns false when more text is needed. */
  const step = (chunks: ThinkTagChunk[], isComplete: boolean): boolean => {
    const emit = (kind: 'text' | 'reasoning', text: string): void => {
      if (text) chunks.push({ kind, text });
    };
    switch (state) {
      case 'start': {
        const text = buffer.trimStart();
        leadingSpace += buffer.slice(0, buffer.length - text.length);
        buffer = text;
        const tag = OPEN.find((open) => text.startsWith(open));
        if (!tag && !isComplete && OPEN.some((open) => open.startsWith(text))) return false;
        buffer = tag ? text.slice(tag.length) : leadingSpace + text;
        leadingSpace = '';
        state = tag ? 'opened' : 'plain';
        return true;
      }
      case 'opened':
      case 'gap':
        buffer = buffer.replace(/^\n+/, '');
        if (buffer) state = state === 'opened' ? 'thought' : 'text';
        return buffer !== '';
      case 'text':
        emit('text', buffer);
        buffer = '';
        return false;
      default: {
        const close = findClose(isComplete);
        if (!close) {
          const emittable = buffer.slice(0, buffer.length - (isComplete ? 0 : partialTagLength(buffer)));
          emit(state === 'plain' ? 'text' : 'reasoning', emittable);
          if (state === 'plain') lastPlain = emittable.at(-1) ?? lastPlain;
          buffer = buffer.slice(emittable.length);
          return false;
        }
        if (state === 'plain' && lastPlain) chunks.push({ kind: 'text-was-reasoning' });
        emit('reasoning', buffer.slice(0, close.index).replace(/(?<!\n)\n+$/, ''));
        buffer = buffer.slice(close.index + close.length);
        state = 'gap';
        return true;
      }
    }
  };
  const run = (isComplete: boolean): ThinkTagChunk[] => {
    const chunks: ThinkTagChunk[] = [];
    while (step(chunks, isComplete));
    return chunks;
  };
  return {
    feed(text) {
      buffer += text;
      const kind = state === 'plain' ? 'text' : state === 'thought' ? 'reasoning' : undefined;
      if (!kind || !TAGLESS.test(buffer)) return run(false);
      const chunk = buffer;
      buffer = '';
      if (kind === 'text') lastPlain = chunk.at(-1) ?? '';
      return [{ kind, text: chunk }];
    },
    end: () => run(true),
  };
}

interface TagMatch {
  readonly index: number;
  readonly length: number;
}

function firstTag(text: string, tags: readonly string[]): TagMatch | undefined {
  const matches = tags
    .map((tag) => ({ index: text.indexOf(tag), length: tag.length }))
    .filter(({ index }) => index >= 0);
  return matches.sort((left, right) => left.index - right.index)[0];
}

/** Requires the line's end after the tag, unless the text is complete: otherwise the line may still continue. */
function findLoneClose(text: string, tag: RegExp, isComplete: boolean): TagMatch | undefined {
  const match = tag.exec(text);
  return match && (isComplete || match[0].endsWith('\n')) ? { index: match.index, length: match[0].length } : undefined;
}

/**
 * The number of characters at the end that may be the start of a closing tag, including the line ends that are
 * removed with it.
 */
function partialTagLength(text: string): number {
  const end = text.slice(-64);
  const line = end.replace(/(?<![ \t])[ \t]+$/, '');
  const tag = /(?:<[/a-z]*>?|◁[/a-z]*▷?)$/.exec(line)?.[0] ?? '';
  const before = line.slice(0, line.length - tag.length).replace(/(?<!\n)\n+$/, '');
  return tag === '' || CLOSE.some((close) => close.startsWith(tag)) ? end.length - before.length : 0;
}

interface ThinkTagReader {
  read(events: readonly AdapterEvent[]): readonly AdapterEvent[];
  /** The stream is complete, so a partial tag was text. */
  end(): readonly AdapterEvent[];
}

type Data = Omit<LLMAgentEventData, 'eventId'>;

const textData = (event: AdapterEvent): Data => (event.type === 'text' ? { content: event.content } : {});

/**
 * The fields that assign text to a message. Every part of the text repeats them; all other fields of its event are sent
 * once.
 */
function addressOf({ message, parent, format }: Data): Data {
  const place: Data = { ...(parent && { parent }), ...(format && { format }) };
  if (!message) return place;
  const { replace: _replace, ...address } = message;
  return { ...place, message: address };
}

/** Whether the data has fields that must be emitted even if all of its text is held back. */
const hasOtherFields = (data: Data): boolean =>
  data.message?.replace === true || Object.keys(data).length > Object.keys(addressOf(data)).length;

/**
 * Converts `<think>…</think>` at the start of a message to reasoning, in the events of a decoder. For protocols without
 * an event for the model's reasoning: their servers forward its tags in the text.
 */
export function readThinkTags(eventId: string): ThinkTagReader {
  /** By message: in a reply of several agents, each message may start with a tag. */
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
        const {
          content,
          eventId: _eventId,
          ...data
        }: Partial<LLMAgentEventData> = event.type === 'response' ? event.data : textData(event);
        // Any other event, such as a tool call, comes after the buffered text.
        if (!content) return [...flush(), event];
        // Text without a message continues the current one.
        current = data.message?.id ?? current;
        if (data.message?.replace) splitters.delete(current);
        const splitter = splitters.get(current) ?? splitThinkTags();
        splitters.set(current, splitter);
        const chunks = splitter.feed(content);
        if (chunks.length === 0 && hasOtherFields(data)) return [{ type: 'response', data: { ...data, eventId } }];
        return chunks.map((chunk, index) => toEvent(index === 0 ? data : addressOf(data), chunk));
      }),
    end: flush,
  };
}
