/**
 * Flowise's predictions: the kind of each event is in its JSON, after a non-standard first line. Lists are sent again
 * completely. Source: `docs/protocols/flowise.md`.
 */
import { randomUUID } from 'node:crypto';
import { chunksOf } from '../chunks.ts';
import { BROKEN_SSE, play, streamChunks, sse, usageOf, type Protocol } from '../play.ts';
import { outcomeText } from '../step.ts';
import { isRecord, textOf } from '../turn.ts';

export const flowise: Protocol = {
  contentType: 'text/event-stream',
  broken: BROKEN_SSE,
  keepsHistory: true,

  answerOf({ humanInput }) {
    if (!isRecord(humanInput)) return undefined;
    return humanInput['type'] === 'proceed' ? 'granted' : 'denied';
  },

  async answer(exchange) {
    const { wire, turn, conversation: chatId } = exchange;
    const send = (event: string, data: unknown, rest: object = {}): Promise<boolean> =>
      wire.send(`message:\n${sse({ event, data, ...rest })}`);
    const tools: object[] = [];
    const documents: object[] = [];
    let followUpPrompts: readonly string[] = [];
    const ask = async (nodeId: string, question: string): Promise<void> => {
      // The question is part of the answer; the action repeats it.
      await send('token', question);
      await send('action', {
        id: randomUUID(),
        mapping: { approve: 'Proceed', reject: 'Reject' },
        elements: [
          { type: 'agentflowv2-approve-button', label: 'Proceed' },
          { type: 'agentflowv2-reject-button', label: 'Reject' },
        ],
        data: { nodeId, nodeLabel: 'Human input', input: { humanInputDescription: question } },
      });
    };

    await send('start', '');
    await play(exchange, {
      async think({ text }) {
        const startedAt = Date.now();
        for (const chunk of chunksOf(text)) await send('thinking', chunk);
        await send('thinking', '', { duration: Math.round((Date.now() - startedAt) / 1000) });
      },
      text: ({ text }) =>
        streamChunks(
          text,
          exchange,
          (words) => send('token', words),
          ({ url: source, title, text: pageContent }) => {
            documents.push({ pageContent, metadata: { source, title } });
            return Promise.resolve();
          },
        ),
      async tool({ name: tool, arguments: toolInput, paces, outcome }) {
        await send('calledTools', [{ tool, toolInput }]);
        await wire.wait(paces);
        const toolOutput = outcomeText(outcome);
        tools.push({ tool, toolInput, toolOutput, ...('failure' in outcome && { error: toolOutput }) });
        await send('usedTools', tools);
      },
      image: ({ mimeType, data }) => send('artifacts', [{ type: mimeType.replace('image/', ''), data }]),
      async permission({ call, question, reason }) {
        await send('token', `${reason}\n\n`);
        await ask(call.id, question);
      },
      toolLimit: ({ question }) => ask('limit', question),
      suggestions({ items }) {
        followUpPrompts = items;
        return Promise.resolve();
      },
      error: ({ message }) => send('error', `Error: predictionsServices.buildChatflow - ${message}`),
    });
    if (documents.length > 0) await send('sourceDocuments', documents);
    const { prompt_tokens: input_tokens, completion_tokens: output_tokens, total_tokens } = usageOf(exchange);
    await send('usageMetadata', { input_tokens, output_tokens, total_tokens });
    const question = textOf(turn.body['question']) || turn.question;
    await send('metadata', { chatId, chatMessageId: randomUUID(), question, sessionId: chatId, followUpPrompts });
    await send('end', '[DONE]');
    await wire.end();
  },
};
