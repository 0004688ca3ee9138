import type { AgentMessage, AgentResponse, AgentResponseContent, ResponseType } from 'agent-chat-element';

/** Creates the parts of one agent's answer to one message; `id` is for a part that is sent again later. */
export type Respond = (
  type: ResponseType,
  content: AgentResponseContent,
  options?: { readonly id?: string; readonly status?: AgentResponse['status'] },
) => AgentResponse;

export const respondTo = (agentId: string, { id: messageId }: AgentMessage): Respond => {
  let count = 0;
  return (type, content, { id, status = 'streaming' } = {}) => ({
    id: id ?? `${messageId}.${String(++count)}`,
    messageId,
    agentId,
    type,
    content,
    metadata: {},
    status,
    timestamp: Date.now(),
  });
};

/** Resolves after a delay, or immediately when the user stops the answer. */
export const pause = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, signal?.aborted ? 0 : milliseconds);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** Yields a text word by word, as a model would. */
export async function* sayWords(respond: Respond, text: string, signal?: AbortSignal): AsyncGenerator<AgentResponse> {
  for (const word of text.match(/\S+\s*/g) ?? []) {
    if (signal?.aborted) return;
    yield respond('text', { text: word });
    await pause(24, signal);
  }
}
