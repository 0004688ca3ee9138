/**
 * Langflow's run API, version 1: JSON objects separated by a blank line, with the type of an event stream. The current
 * message is sent repeatedly; its text is streamed in between. Source: `docs/protocols/langflow.md`.
 */
import { randomUUID } from 'node:crypto';
import { play, streamChunks, type Protocol } from '../play.ts';
import { outcomeText } from '../step.ts';

export const langflow: Protocol = {
  contentType: 'text/event-stream',
  broken: '{"event":"token","data":{"chunk":"an object that was cut\n\n',
  keepsHistory: true,

  async answer(exchange) {
    const { wire, turn, conversation: session_id } = exchange;
    const send = (event: string, data: object): Promise<boolean> => wire.send(`${JSON.stringify({ event, data })}\n\n`);
    const id = randomUUID();
    const contents: object[] = [];
    let text = '';
    const emitState = (state: 'partial' | 'complete'): Promise<boolean> =>
      send('add_message', {
        id,
        text,
        sender: 'Machine',
        sender_name: 'Harbor',
        session_id,
        content_blocks: contents.length > 0 ? [{ title: 'Agent Steps', contents }] : [],
        properties: { state },
        error: false,
      });

    await send('vertices_sorted', { ids: ['ChatInput', 'Agent', 'ChatOutput'] });
    // The server echoes the user's message.
    await send('add_message', {
      id: randomUUID(),
      text: turn.question,
      sender: 'User',
      sender_name: 'User',
      session_id,
    });
    const ending = await play(exchange, {
      text: (step) =>
        streamChunks(step.text, exchange, (chunk) => {
          text += chunk;
          return send('token', { chunk, id, timestamp: new Date().toISOString() });
        }),
      async tool({ name, arguments: tool_input, paces, outcome }) {
        const place = contents.push({ type: 'tool_use', name, tool_input }) - 1;
        await emitState('partial');
        await wire.wait(paces);
        const result = { ['failure' in outcome ? 'error' : 'output']: outcomeText(outcome) };
        contents[place] = { type: 'tool_use', name, tool_input, ...result, duration: paces * exchange.speed };
        await emitState('partial');
      },
      error: ({ message }) => send('error', { text: message }),
    });
    if (ending !== 'failed') await emitState('complete');
    const result = { results: { message: { text } } };
    await send('end', { result: { session_id, outputs: [{ outputs: [result] }] } });
    await wire.end();
  },
};
