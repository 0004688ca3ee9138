/**
 * Reads frames that contain only a text delta without parsing each one as JSON. Nearly all such frames of a reply
 * differ only in the text, with the same characters before and after it. So one parsed frame provides everything except
 * the text.
 */
import { parseJson, parseServerJson } from '../../model/json.ts';
import type { Frame } from '../../transport/frame.ts';
import type { Report } from '../core/adapter.ts';
import { readJsonFrames, type JsonFrame } from '../core/read-frames.ts';
import { errorMessage } from './error-message.ts';

/** The text of a frame that contains only text, and the other values that the decoder needs from it. */
export interface FrameText<Fields> {
  readonly text: string;
  readonly fields: Fields;
}

export interface TextFrame<Fields> extends FrameText<Fields> {
  readonly frame: Frame;
}

/** Consecutive text frames whose `fields` are the same object. */
export interface TextFrames<Fields> {
  readonly fields: Fields;
  readonly frames: readonly TextFrame<Fields>[];
}

/** The common form of frames that differ only in their text. */
interface FrameTemplate<Fields> {
  readonly event: string | undefined;
  /** The frame's characters before the text, including the opening quote. */
  readonly prefix: string;
  /** The frame's characters after the text, from the closing quote. */
  readonly suffix: string;
  readonly fields: Fields;
}

/**
 * After this many attempts to learn a template, successful or not, only every `EVERY`-th text frame is tried. The count
 * starts again when a frame is read with the template.
 */
const MAX_ATTEMPTS = 8;
const EVERY = 64;
/** The maximum number of occurrences of a text in its frame that are tested; each test parses the frame. */
const MAX_OCCURRENCES = 8;
/** Text that needs no escaping inside a JSON string. */
const UNESCAPED_TEXT = /^[^"\\\p{Cc}]*$/u;
/** Put between a possible prefix and suffix. If `textOf` returns it as the text, the text is at that position. */
const PROBE = 'agent-chat:text';

/**
 * Creates a function that reads the frames of a reply.
 *
 * @param textOf - returns the text and the fields of a frame whose only content is one text, otherwise undefined. Neither the
 * fields nor whether it returns them may depend on the text: the result is reused for frames with other texts.
 */
export function makeTextFrameReader<Fields>(
  textOf: (json: unknown, frame: Frame) => FrameText<Fields> | undefined,
  report: Report,
): (frames: readonly Frame[]) => readonly (TextFrame<Fields> | JsonFrame)[] {
  let template: FrameTemplate<Fields> | undefined;
  let attemptsLeft = MAX_ATTEMPTS;
  /** Text frames since the attempts were used up. */
  let laterFrames = 0;

  const learnTemplate = (frame: Frame, text: string): void => {
    if (template && matchesTemplate(template, frame)) return;
    if (attemptsLeft === 0 && ++laterFrames % EVERY !== 0) return;
    attemptsLeft = Math.max(0, attemptsLeft - 1);
    template = findTemplate(frame, text, textOf) ?? template;
  };
  return (frames) => {
    const read: (TextFrame<Fields> | JsonFrame)[] = [];
    for (const frame of frames) {
      const text = template && matchesTemplate(template, frame) ? extractText(template, frame.data) : undefined;
      if (template && text !== undefined) {
        attemptsLeft = MAX_ATTEMPTS;
        read.push({ text, fields: template.fields, frame });
        continue;
      }
      for (const parsed of readJsonFrames([frame], report)) {
        const delta = textOf(parsed.json, parsed.frame);
        read.push(delta ? { ...delta, frame: parsed.frame } : parsed);
        if (delta) learnTemplate(parsed.frame, delta.text);
      }
    }
    return read;
  };
}

/**
 * Some gateways send their error as plain text, in a frame named `error`. It becomes the field `error` of an object, which
 * the schemas of the model providers read.
 */
export const withPlainErrors = (frames: readonly Frame[]): readonly Frame[] =>
  frames.some(({ event }) => event === 'error') ? frames.map(withPlainError) : frames;

function withPlainError(frame: Frame): Frame {
  const { event, data, unfinished } = frame;
  if (event !== 'error' || data === '' || data === '[DONE]' || unfinished) return frame;
  // What begins like an object and is none is damaged, not plain text.
  const text = /^\s*[{[]/.test(data) ? undefined : (parseServerJson(data) ?? data);
  return typeof text === 'string' ? { ...frame, data: JSON.stringify({ error: errorMessage(text) ?? {} }) } : frame;
}

/**
 * Groups consecutive text frames whose `fields` are the same object, for decoders whose state changes with each text:
 * changing it once per group takes a fraction of the time.
 */
export function groupTextFrames<Fields>(
  items: readonly (TextFrame<Fields> | JsonFrame)[],
): readonly (TextFrames<Fields> | JsonFrame)[] {
  const groups: (TextFrames<Fields> | JsonFrame)[] = [];
  for (let start = 0; start < items.length; start++) {
    const first = items[start];
    if (!first) continue;
    if (!('text' in first)) {
      groups.push(first);
      continue;
    }
    const frames = [first];
    // Frames that were read with one template share its `fields` object.
    for (let next = items[start + 1]; next && 'text' in next && next.fields === first.fields; next = items[++start + 1])
      frames.push(next);
    groups.push({ fields: first.fields, frames });
  }
  return groups;
}

/** Slices are compared, because `startsWith` compares character by character and takes as long as parsing. */
function matchesTemplate<Fields>(
  { event, prefix, suffix }: FrameTemplate<Fields>,
  { event: name, data }: Frame,
): boolean {
  if (name !== event || data.length < prefix.length + suffix.length) return false;
  const [head, tail] = [data.slice(0, prefix.length), data.slice(data.length - suffix.length)];
  return head === prefix && tail === suffix;
}

/** Returns the text between the quotes; undefined when it is not exactly one JSON string. */
function extractText<Fields>({ prefix, suffix }: FrameTemplate<Fields>, data: string): string | undefined {
  const text = data.slice(prefix.length, data.length - suffix.length);
  if (UNESCAPED_TEXT.test(text)) return text;
  const value = parseJson(`"${text}"`);
  return typeof value === 'string' ? value : undefined;
}

function findTemplate<Fields>(
  frame: Frame,
  text: string,
  textOf: (json: unknown, frame: Frame) => FrameText<Fields> | undefined,
): FrameTemplate<Fields> | undefined {
  const { data, event } = frame;
  if (!UNESCAPED_TEXT.test(text)) return undefined;
  // The same text may also occur elsewhere, for example in an id. Each occurrence is tested with the probe.
  let tries = 0;
  for (let index = data.lastIndexOf(`"${text}"`); index > 0; index = data.lastIndexOf(`"${text}"`, index - 1)) {
    if (++tries > MAX_OCCURRENCES) return undefined;
    const [prefix, suffix] = [data.slice(0, index + 1), data.slice(index + 1 + text.length)];
    const delta = textOf(parseJson(prefix + PROBE + suffix), frame);
    if (delta?.text === PROBE) return { event, prefix, suffix, fields: delta.fields };
  }
  return undefined;
}
