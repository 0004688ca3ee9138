/** A reply as messages that grow field by field. Format: `docs/protocols/message-field.md`. */
import { randomUUID } from 'node:crypto';
import { pause, chunksOf, type Body } from './body.ts';

export async function* messageFields({ project_id = randomUUID() }: Body): AsyncGenerator<string> {
  const send = (type: string, message_id: string, fields: object): string =>
    `data: ${JSON.stringify({ message_id, ...fields, project_id, type })}\n\n`;
  const start = (id: string, role: string, tool_call_id: string | null = null): string =>
    send('message_start', id, { tool_call_id, role });
  const set = (id: string, field_name: string, field_value: unknown): string =>
    send('message_field', id, { field_name, field_value });
  const add = (id: string, field_name: string, delta: string): string =>
    send('message_field_delta', id, { field_name, delta });
  const end = (id: string, message: object): string =>
    send('message_result', id, { message: { id, content: '', thinking: false, ...message } });
  const call = (args: string | null) => ({
    id: 'use_1',
    type: 'function',
    function: { name: 'web_search', arguments: args },
  });

  yield set(String(project_id), '_updatetime', new Date().toISOString().slice(0, -1));
  const reasoningId = randomUUID();
  yield start(reasoningId, 'assistant');
  yield set(reasoningId, 'thinking', true);
  for (const chunk of chunksOf('Two lakes are near. A search tells which one has a train.'))
    yield add(reasoningId, 'content', chunk);
  yield end(reasoningId, {
    role: 'assistant',
    thinking: true,
    content: 'Two lakes are near. A search tells which one has a train.',
  });

  const callMessageId = randomUUID();
  yield start(callMessageId, 'assistant');
  yield set(callMessageId, 'tool_calls[0]', call(null));
  for (const chunk of ['{"q":', '"lakes with a station"}'])
    yield add(callMessageId, 'tool_calls[0].function.arguments', chunk);
  yield end(callMessageId, { role: 'assistant', tool_calls: [call('{"q":"lakes with a station"}')] });
  await pause();
  const resultId = randomUUID();
  yield start(resultId, 'tool', 'use_1');
  yield add(resultId, 'content', 'Lake Orne: station at the shore');
  yield end(resultId, { role: 'tool', tool_call_id: 'use_1', content: 'Lake Orne: station at the shore' });

  const answer = randomUUID();
  const text = 'Take **Lake Orne**: the train stops at its shore.';
  yield start(answer, 'assistant');
  for (const chunk of chunksOf(text)) {
    yield add(answer, 'content', chunk);
    await pause(5);
  }
  const recommend_actions = [{ label: 'Show the trains', text: 'Which trains go to Lake Orne?' }];
  yield end(answer, { role: 'assistant', content: text, recommend_actions, session_state: { step: 1 } });
}
