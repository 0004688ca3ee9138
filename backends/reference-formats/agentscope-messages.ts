/** Messages of two agents, in the form that AgentScope sends. Format: `docs/protocols/agentscope-msg.md`. */
import { pause, chunksOf } from './body.ts';

type Role = 'ASSISTANT' | 'TOOL';

const send = (role: Role, content: readonly object[], more: object = {}): string =>
  `data: ${JSON.stringify({ role, content, metadata: {}, ...more })}\n\n`;
const text = (text: string): object => ({ type: 'text', text: text });

export async function* agentscopeMessages(): AsyncGenerator<string> {
  // Without a name and an id, as in `Msg.builder().role(…)`.
  const use = { type: 'tool_use', id: 'call_1', name: 'find_train', input: { to: 'Bergen' } };
  yield send('ASSISTANT', [{ type: 'thinking', thinking: 'Which train?' }, text('I look it up.'), use]);
  await pause();
  yield send('TOOL', [{ type: 'tool_result', toolUseId: 'call_1', output: [text('9:40, platform 2')] }]);
  // Snapshots: each message has all of its text so far.
  const streamText = function* (name: string, words: string): Generator<string> {
    let received = '';
    for (const chunk of chunksOf(words)) {
      received += chunk;
      yield send('ASSISTANT', [text(received)], { name, id: `msg_${name}`, timestamp: new Date().toISOString() });
    }
  };
  yield* streamText('Planner', 'Take the train at 9:40.');
  yield* streamText('Critic', 'The one at 10:10 has a dining car.');
}
