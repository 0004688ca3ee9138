/**
 * Gemini's Interactions API: an answer in steps, of a conversation that the server stores. Source:
 * `docs/protocols/gemini-interactions.md`.
 */
import { sentenceStart } from '../citation-marks.ts';
import { chunksOf } from '../chunks.ts';
import { BROKEN_SSE, play, streamChunks, sse, usageOf, type Protocol } from '../play.ts';
import { outcomeText, type Source } from '../step.ts';
import { answerFromTools, offersTools } from '../turn.ts';

export const geminiInteractions: Protocol = {
  contentType: 'text/event-stream',
  broken: BROKEN_SSE,
  keepsHistory: true,

  answerOf: answerFromTools,

  async answer(exchange) {
    const { wire, turn, id, conversation } = exchange;
    const interaction = { id: conversation, object: 'interaction', model: 'harbor-scripted' };
    const send = (event_type: string, rest: object): Promise<boolean> =>
      wire.send(sse({ ...rest, event_type }, event_type));
    let index = -1;
    let open = '';
    let sentText = '';
    const delta = (value: object): Promise<boolean> => send('step.delta', { index, delta: value });
    const close = async (): Promise<void> => {
      if (open !== '') await send('step.stop', { index });
      open = '';
    };
    const step = async (type: string, rest: object = {}): Promise<void> => {
      if (open === type && (type === 'model_output' || type === 'thought')) return;
      await close();
      index++;
      open = type;
      sentText = '';
      await send('step.start', { index, step: { type, ...rest } });
    };
    const cite = ({ url, title }: Source): Promise<boolean> => {
      const [start_index, end_index] = [
        Buffer.byteLength(sentText.slice(0, sentenceStart(sentText))),
        Buffer.byteLength(sentText),
      ];
      const annotation = { type: 'url_citation', url, title, start_index, end_index };
      return delta({ type: 'text_annotation_delta', annotations: [annotation] });
    };

    await send('interaction.created', { interaction: { ...interaction, status: 'in_progress' } });
    const ending = await play(exchange, {
      async think({ text }) {
        await step('thought');
        for (const chunk of chunksOf(text)) {
          await delta({ type: 'thought_summary', content: { type: 'text', text: chunk } });
        }
      },
      async text({ text }) {
        await step('model_output');
        await streamChunks(
          text,
          exchange,
          (words) => {
            sentText += words;
            return delta({ type: 'text', text: words });
          },
          cite,
        );
      },
      async tool({ id: name, name: tool, server, arguments: args, paces, outcome }) {
        const call = { name: tool, server_name: server ?? 'harbor' };
        await step('mcp_server_tool_call', { id: id(name), ...call, arguments: args });
        await wire.wait(paces);
        await step('mcp_server_tool_result', { call_id: id(name), ...call });
        await delta({ type: 'mcp_server_tool_result', result: outcomeText(outcome), is_error: 'failure' in outcome });
      },
      async image({ mimeType, data }) {
        await step('model_output');
        await delta({ type: 'image', data, mime_type: mimeType });
      },
      ...(offersTools(turn) && {
        async pageTools({ calls }) {
          for (const { id: name, name: tool, arguments: args } of calls) {
            await step('function_call', { id: id(name), name: tool, arguments: {} });
            for (const chunk of chunksOf(JSON.stringify(args))) {
              await delta({ type: 'arguments_delta', arguments: chunk });
            }
          }
        },
      }),
      error: ({ code, message }) => send('error', { error: { code, message } }),
    });
    if (ending !== 'failed') {
      await close();
      const { prompt_tokens, completion_tokens, total_tokens } = usageOf(exchange);
      const status = ending === 'waiting' ? 'requires_action' : 'completed';
      const usage = { total_input_tokens: prompt_tokens, total_output_tokens: completion_tokens, total_tokens };
      await send('interaction.completed', { interaction: { ...interaction, status, usage } });
      await wire.send(sse('[DONE]', 'done'));
    }
    await wire.end();
  },
};
