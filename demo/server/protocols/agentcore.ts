/** A Strands agent on Bedrock AgentCore: the model's own events, and its tools' results as messages. Source: `strands/types/_events.py`. */
import { chunksOf } from '../chunks.ts';
import { BROKEN_SSE, play, streamChunks, sse, usageOf, type Protocol } from '../play.ts';
import { outcomeText } from '../step.ts';

export const agentCore: Protocol = {
  contentType: 'text/event-stream',
  broken: BROKEN_SSE,
  keepsHistory: true,

  async answer(exchange) {
    const { wire, id } = exchange;
    const send = (frame: object): Promise<boolean> => wire.send(sse(frame));
    const event = (name: string, fields: object): Promise<boolean> => send({ event: { [name]: fields } });
    const delta = (fields: object, contentBlockIndex = 0): Promise<boolean> =>
      event('contentBlockDelta', { delta: fields, contentBlockIndex });
    let open = false;
    const begin = async (): Promise<void> => {
      if (!open) await event('messageStart', { role: 'assistant' });
      open = true;
    };
    const stop = async (stopReason: string): Promise<void> => {
      if (open) await event('messageStop', { stopReason });
      open = false;
    };

    await send({ init_event_loop: true });
    const ending = await play(exchange, {
      async think({ text }) {
        await begin();
        for (const chunk of chunksOf(text)) await delta({ reasoningContent: { text: chunk } });
      },
      async text({ text }) {
        await begin();
        await streamChunks(text, exchange, (chunk) => delta({ text: chunk }));
      },
      async tool({ id: callName, name, arguments: args, paces, outcome }) {
        await begin();
        const toolUseId = id(callName);
        await event('contentBlockStart', { start: { toolUse: { toolUseId, name } }, contentBlockIndex: 1 });
        for (const input of chunksOf(JSON.stringify(args))) await delta({ toolUse: { input } }, 1);
        await stop('tool_use');
        await wire.wait(paces);
        const status = 'failure' in outcome ? 'error' : 'success';
        const toolResult = { toolUseId, status, content: [{ text: outcomeText(outcome) }] };
        await send({ message: { role: 'user', content: [{ toolResult }] } });
      },
      error: ({ message }) =>
        send({ error: message, error_type: 'Error', message: 'An error occurred during streaming' }),
    });
    if (ending !== 'failed') {
      await stop('end_turn');
      const {
        prompt_tokens: inputTokens,
        completion_tokens: outputTokens,
        total_tokens: totalTokens,
      } = usageOf(exchange);
      await event('metadata', { usage: { inputTokens, outputTokens, totalTokens } });
    }
    await wire.end();
  },
};
