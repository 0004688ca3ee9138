/** `{type, phase, data}`, one object per line. Format: `docs/protocols/agent-phase.md`. */
import { isRecord, pause, chunksOf, type Body } from './body.ts';

type Phase = 'thinking' | 'tool_calling' | 'generating' | 'completed' | 'error';

const line = (type: string, phase: Phase, data: object): string => `${JSON.stringify({ type, phase, data })}\n`;

export async function* phaseEvents({ options, chatId }: Body): AsyncGenerator<string> {
  const { showThinking = false, showToolCalls = true, detailedCitations = true } = isRecord(options) ? options : {};
  yield line('phase_change', 'thinking', { message: 'Reading the question...' });
  if (showThinking) yield line('thinking', 'thinking', { content: 'A week of messages is enough.' });
  await pause();
  yield line('phase_change', 'tool_calling', { message: 'Getting the messages...' });
  if (showToolCalls) {
    const params = { since: 1_767_225_600_000, limit: 40 };
    yield line('tool_start', 'tool_calling', {
      toolName: 'read_messages',
      toolDescription: 'Read the messages',
      params,
    });
    await pause();
    yield line('tool_end', 'tool_calling', { toolName: 'read_messages', success: true, summary: '40 messages read' });
    yield line('tool_start', 'tool_calling', { toolName: 'read_calls', toolDescription: 'Read the calls', params: {} });
    const problem = { success: false, summary: 'The calls are missing', error: 'The phone is not connected' };
    yield line('tool_end', 'tool_calling', { toolName: 'read_calls', ...problem });
  }
  yield line('phase_change', 'generating', { message: 'Writing...' });
  yield line('text', 'generating', { content: 'Two things came up:\n\n' });
  const textEvents = (text: string): readonly string[] =>
    chunksOf(text).map((content) => line('text', 'generating', { content }));
  yield* textEvents('Ines says the lift is slow');
  const sender = { senderId: 'u5', timestamp: 1_767_312_000_000, chatId };
  if (detailedCitations) {
    const cited = { index: 0, messageId: '77', content: 'the lift is slow', senderName: 'Ines', ...sender };
    yield line('citation', 'generating', cited);
  }
  await pause();
  yield* textEvents(', most of all in the morning');
  if (detailedCitations) {
    // The answer paraphrases the source, so the mark follows the cited text.
    const cited = { index: 1, messageId: '81', content: 'worst at eight', senderName: 'Omar', ...sender };
    yield line('citation', 'generating', cited);
  }
  yield* textEvents('.\n');
  yield line('structured', 'generating', { dataType: 'summary', totals: { messages: 40, people: 2 } });
  yield line('done', 'completed', { finishReason: 'stop', stats: { totalTokens: 640, iterations: 2 } });
}
