/** Rasa's REST channel (`rasa`). Source: `other.md`, "Rasa REST". One array, each entry a message of the bot. */
import type { LLMAgentEvent, LLMAgentEventData } from '../model/agent-events.ts';
import type { Suggestion } from '../model/blocks.ts';
import { z } from '../model/schema.ts';
import { detectRasa } from './detect/builders.ts';
import { maybe, maybeText } from './shared/maybe.ts';
import { isRecord, parseJson } from '../model/json.ts';
import { readFrames } from './shared/read-frames.ts';
import type { Adapter, RequestOptions } from './adapter.ts';

const wire = z.object({
  recipient_id: z.string(),
  text: maybeText,
  image: maybeText,
  buttons: maybe(z.array(maybe(z.object({ title: z.string(), payload: maybeText })))),
  custom: z.exactOptional(z.unknown()),
  attachment: z.exactOptional(z.unknown()),
});
type Wire = z.infer<typeof wire>;

export const rasa: Adapter = {
  id: 'rasa',
  label: 'Rasa',
  kind: 'agent',
  detect: detectRasa,

  // The history is the tracker's: only the new words go.
  request(turn, { url, headers = {}, ...options }) {
    const metadata = toMetadata(options);
    return {
      url,
      init: {
        method: 'POST',
        headers: { accept: 'application/json', ...headers },
        body: {
          sender: turn.threadId,
          message: turn.text,
          ...(Object.keys(metadata).length > 0 && { metadata }),
        },
      },
    };
  },

  async *decode(batches, { eventId, report }) {
    /** Of all entries: only what stands below the last message can be pressed. */
    const suggestions: Suggestion[] = [];
    let frames = 0;
    let read = 0;
    let cut = false;
    const response = (data: Omit<LLMAgentEventData, 'eventId'>): LLMAgentEvent => ({
      type: 'response',
      data: { eventId, ...data },
    });
    for await (const batch of batches) {
      const events: LLMAgentEvent[] = [];
      frames += batch.length;
      cut ||= batch.some(({ data, unfinished }) => unfinished && parseJson(data) === undefined);
      for (const entry of readFrames(wire, batch, report)) {
        // The wire has no ids.
        const message = { id: `${eventId}:${String(read++)}` };
        events.push(...thingsIn(entry).map((thing) => response({ message, ...thing })));
        suggestions.push(...buttonsIn(entry));
      }
      yield events;
    }
    // The end of the body is the end, also of an empty array. A body that is something else has not answered.
    const answered = read > 0 || frames === 0;
    if (answered && !cut) yield [response({ finish: 'complete', ...(suggestions.length > 0 && { suggestions }) })];
  },
};

function toMetadata({
  system,
  context,
}: Pick<RequestOptions, 'system' | 'context'>): Readonly<Record<string, unknown>> {
  const facts = isRecord(context) ? context : context === undefined || context === null ? {} : { context };
  return { ...(system && { system }), ...facts };
}

/** What an entry shows. One field is the rule, but a custom channel may send several at once. */
function thingsIn({ text, image, attachment, custom }: Wire): readonly Omit<LLMAgentEventData, 'eventId'>[] {
  return [
    ...(text ? [{ content: text }] : []),
    ...(image ? [{ media: { kind: 'image', url: image } } as const] : []),
    ...[attachment, custom]
      .filter((value) => value !== undefined && value !== null)
      .map((data) => ({ data: { data_type: 'custom', data } }) as const),
  ];
}

const buttonsIn = ({ buttons }: Wire): readonly Suggestion[] =>
  (buttons ?? []).flatMap((button) =>
    button ? [{ label: button.title, prompt: button.payload || button.title }] : [],
  );
