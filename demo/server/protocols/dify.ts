/** Dify's app API for agent apps. Source: `docs/protocols/dify.md`. */
import { randomUUID } from 'node:crypto';
import { chunksOf } from '../chunks.ts';
import { BROKEN_SSE, play, streamChunks, sse, usageOf, type Protocol } from '../play.ts';
import { outcomeText } from '../step.ts';

export const dify: Protocol = {
  contentType: 'text/event-stream',
  broken: BROKEN_SSE,
  keepsHistory: true,

  async answer(exchange) {
    const { wire, conversation, id } = exchange;
    const [task_id, message_id] = [randomUUID(), randomUUID()];
    const send = (event: string, rest: object): Promise<boolean> => {
      const created_at = Math.floor(Date.now() / 1000);
      return wire.send(sse({ event, task_id, message_id, conversation_id: conversation, created_at, ...rest }));
    };
    let position = 0;
    const retriever_resources: object[] = [];

    const ending = await play(exchange, {
      async think({ text }) {
        for (const reasoning of chunksOf(text)) await send('reasoning_chunk', { data: { reasoning } });
      },
      text: ({ text }) =>
        streamChunks(
          text,
          exchange,
          (answer) => send('agent_message', { id: message_id, answer }),
          ({ id: document_id, title: document_name, text: content }) => {
            const place = retriever_resources.length + 1;
            retriever_resources.push({ position: place, document_id, document_name, content });
            return Promise.resolve();
          },
        ),
      // Sent twice with one id: when it starts, and with its result.
      async tool({ id: name, name: tool, arguments: args, paces, outcome }) {
        const thought = { id: id(name), position: ++position, thought: '', tool, tool_input: JSON.stringify(args) };
        await send('agent_thought', { ...thought, observation: '' });
        await wire.wait(paces);
        await send('agent_thought', { ...thought, observation: outcomeText(outcome) });
      },
      error: ({ code, message }) => send('error', { status: 400, code, message }),
    });
    if (ending !== 'failed') {
      await send('message_end', { id: message_id, metadata: { usage: usageOf(exchange), retriever_resources } });
    }
    await wire.end();
  },
};
