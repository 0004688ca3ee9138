/**
 * Ollama's `/api/chat`: a JSON object a line. The protocol has no calls of the agent's own tools. Source:
 * `docs/protocols/ollama.md`.
 */
import { toolNote } from '../markdown.ts';
import { chunksOf } from '../chunks.ts';
import { play, streamChunks, usageOf, type Protocol } from '../play.ts';
import { answerFromTools, offersTools, textOf } from '../turn.ts';

const NANOSECONDS = 1e6;

export const ollama: Protocol = {
  contentType: 'application/x-ndjson',
  broken: '{"model":"harbor-scripted","message":{"role":"assistant","content":"a line that was cut\n',

  answerOf: answerFromTools,

  async answer(exchange) {
    const { wire, turn } = exchange;
    const startedAt = Date.now();
    const model = textOf(turn.body['model']) || 'harbor-scripted';
    const line = (rest: object): Promise<boolean> =>
      wire.send(`${JSON.stringify({ model, created_at: new Date().toISOString(), ...rest })}\n`);
    const emit = (message: object): Promise<boolean> =>
      line({ message: { role: 'assistant', content: '', ...message }, done: false });
    const think = async (text: string): Promise<void> => {
      for (const thinking of chunksOf(text)) await emit({ thinking });
    };

    const ending = await play(exchange, {
      think: ({ text }) => think(text),
      text: ({ text }) => streamChunks(text, exchange, (content) => emit({ content })),
      async tool(step) {
        await wire.wait(step.paces);
        await think(toolNote(step));
      },
      // Only base64 data: no URL and no type.
      image: ({ data }) => emit({ images: [data] }),
      ...(offersTools(turn) && {
        // The arguments are an object here, and this server makes up the ids.
        pageTools: ({ calls }) =>
          emit({
            tool_calls: calls.map(({ name, arguments: args }, index) => ({
              function: { index, name, arguments: args },
            })),
          }),
      }),
      error: ({ message: error }) => wire.send(`${JSON.stringify({ error })}\n`),
    });
    if (ending !== 'failed') {
      const { prompt_tokens: prompt_eval_count, completion_tokens: eval_count } = usageOf(exchange);
      const total_duration = (Date.now() - startedAt) * NANOSECONDS;
      const message = { role: 'assistant', content: '' };
      await line({ message, done: true, done_reason: 'stop', total_duration, prompt_eval_count, eval_count });
    }
    await wire.end();
  },
};
