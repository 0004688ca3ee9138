/**
 * Rasa's REST channel (`rasa`). A response is one array of bot messages. Source: `docs/protocols/rasa.md`; Rasa
 * documentation, "REST channels".
 */
import type { LLMAgentEvent, LLMAgentEventData } from '../model/events/agent-events.ts';
import type { Suggestion } from '../model/blocks.ts';
import { z } from '../model/schema.ts';
import { lenient, lenientString, lenientText } from './shared/lenient.ts';
import { isRecord, parseJson } from '../model/json.ts';
import { readFrames } from './core/read-frames.ts';
import type { Adapter, RequestOptions } from './core/adapter.ts';

const wire = z.object({
  recipient_id: z.string(),
  text: lenientText,
  image: lenientString,
  buttons: lenient(z.array(lenient(z.object({ title: z.string(), payload: lenientString })))),
  custom: z.exactOptional(z.unknown()),
  attachment: z.exactOptional(z.unknown()),
});
type Wire = z.infer<typeof wire>;

export const adapter: Adapter = {
  id: 'rasa',
  label: 'Rasa',
  kind: 'agent',
  accepts: 'text',

  // Rasa stores the history (in its tracker), so only the new message is sent.
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
    /** Buttons of all entries. They become those of the last message, because only its suggestions are shown. */
    const suggestions: Suggestion[] = [];
    let frameCount = 0;
    let messageCount = 0;
    let isTruncated = false;
    const response = (data: Omit<LLMAgentEventData, 'eventId'>): LLMAgentEvent => ({
      type: 'response',
      data: { eventId, ...data },
    });
    for await (const batch of batches) {
      const events: LLMAgentEvent[] = [];
      frameCount += batch.length;
      isTruncated ||= batch.some(({ data, unfinished }) => unfinished && parseJson(data) === undefined);
      for (const entry of readFrames(wire, batch, report)) {
        // Messages have no ids.
        const message = { id: `${eventId}:${String(messageCount++)}` };
        events.push(...contentOf(entry).map((item) => response({ message, ...item })));
        suggestions.push(...buttonsIn(entry));
      }
      yield events;
    }
    // An empty array has no frames, and is a reply without text. Frames of which none is a message of the bot, such as an error, are no reply.
    const isReply = messageCount > 0 || frameCount === 0;
    if (isReply && !isTruncated)
      yield [response({ finish: 'complete', ...(suggestions.length > 0 && { suggestions }) })];
  },
};

function toMetadata({
  system,
  context,
}: Pick<RequestOptions, 'system' | 'context'>): Readonly<Record<string, unknown>> {
  const values = isRecord(context) ? context : context === undefined || context === null ? {} : { context };
  return { ...(system && { system }), ...values };
}

/** Converts a message of the bot. Usually it has one of these fields; a custom connector on the server may send several. */
function contentOf({ text, image, attachment, custom }: Wire): readonly Omit<LLMAgentEventData, 'eventId'>[] {
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
