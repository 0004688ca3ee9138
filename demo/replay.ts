/** Plays a recording of the stream inspector with the public API only. */
import { textOf, type AgentChat } from 'agent-chat-element';
import { replay, type Recording } from 'agent-chat-element/testing';

/** Sends the recorded messages and answers them from the file. Resolves when the replay is over. */
export async function playRecording(chat: AgentChat, file: File): Promise<void> {
  // `replay` validates it before playing it.
  const recording = JSON.parse(await file.text()) as Recording;
  const answers = await replay(recording, { pace: 'recorded' });
  const [userMessage] = recording.messages;
  chat.clear();
  Object.assign(chat, answers, { agents: undefined });
  try {
    await chat.send((userMessage && textOf(userMessage)) || 'Play it again.');
  } finally {
    // The attributes apply again.
    Object.assign(chat, { endpoint: undefined, protocol: undefined, fetch: undefined });
  }
}
