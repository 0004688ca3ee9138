/** Plays what the stream inspector has recorded, with nothing but what any page has. */
import { textOf, type AgentChat } from 'agent-chat-element';
import { replay, type Recording } from 'agent-chat-element/testing';

/** Sends what was sent then, and is answered from the file. Resolves when that is over. */
export async function playRecording(chat: AgentChat, file: File): Promise<void> {
  // `replay` looks at it before it plays it.
  const recording = JSON.parse(await file.text()) as Recording;
  const answers = await replay(recording, { pace: 'recorded' });
  const [asked] = recording.messages;
  chat.clear();
  Object.assign(chat, answers, { agents: undefined });
  try {
    await chat.send((asked && textOf(asked)) || 'Play it again.');
  } finally {
    // What the attributes say holds again.
    Object.assign(chat, { endpoint: undefined, protocol: undefined, fetch: undefined });
  }
}
