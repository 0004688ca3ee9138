/** Phase events: bare JSON lines with the type `text/event-stream`. Source: `docs/protocols/agent-phase.md`. */
import { asPlainText, chartRows } from '../markdown.ts';
import { chunksOf } from '../chunks.ts';
import { play, streamChunks, usageOf, type Protocol } from '../play.ts';
import type { Step } from '../step.ts';
import { isRecord, textOf, type Turn } from '../turn.ts';

type Phase = 'thinking' | 'tool_calling' | 'generating' | 'completed' | 'error';

const MESSAGES: Partial<Record<Phase, string>> = {
  thinking: 'Analysing your question...',
  tool_calling: 'Getting data...',
  generating: 'Putting the answer together...',
};
const ORDER: readonly Phase[] = ['thinking', 'tool_calling', 'generating'];

const phaseOf = ({ type }: Step): Phase =>
  type === 'think' ? 'thinking' : type === 'tool' ? 'tool_calling' : 'generating';

/** The phases have a fixed order, so all reasoning and all tools come before the first text. */
const inOrderOfPhases = (steps: readonly Step[]): readonly Step[] =>
  ORDER.flatMap((phase) => steps.filter((step) => phaseOf(step) === phase));

/** The display options of the request, and their defaults. */
function optionsOf({ body }: Turn) {
  const requestOptions = isRecord(body['options']) ? body['options'] : {};
  return {
    showThinking: requestOptions['showThinking'] === true,
    showToolCalls: requestOptions['showToolCalls'] !== false,
    detailedCitations: requestOptions['detailedCitations'] !== false,
  };
}

export const agentPhase: Protocol = {
  contentType: 'text/event-stream',
  broken: '{"type":"text","phase":"generating","data":{"content":"a line that was cut\n',

  async answer(exchange) {
    const { wire, turn } = exchange;
    const { showThinking, showToolCalls, detailedCitations } = optionsOf(turn);
    const chatId = textOf(turn.body['chatId']) || 'harbor';
    const steps = inOrderOfPhases(exchange.steps);
    let phase: Phase | undefined;
    let citations = 0;
    let hasBlankLine = true;

    const send = (type: string, data: object): Promise<boolean> =>
      wire.send(`${JSON.stringify({ type, phase, data })}\n`);
    const enter = async (next: Phase): Promise<void> => {
      if (phase === next) return;
      phase = next;
      const message = MESSAGES[next];
      if (message) await send('phase_change', { message });
    };
    /** Tables and figures: the extension event, whose `dataType` may have a renderer of the page. */
    const figures = (title: string, columns: readonly unknown[], rows: readonly unknown[]): Promise<boolean> =>
      send('structured', { dataType: 'figures', title, columns, rows });

    const ending = await play(
      { ...exchange, steps },
      {
        async think({ text }) {
          await enter('thinking');
          if (showThinking) for (const chunk of chunksOf(text)) await send('thinking', { content: chunk });
          else await wire.wait(20);
        },
        async tool({ name, description, arguments: params, paces, outcome, summary }) {
          await enter('tool_calling');
          if (showToolCalls) await send('tool_start', { toolName: name, toolDescription: description, params });
          await wire.wait(paces);
          const failure = 'failure' in outcome ? outcome.failure : undefined;
          const end = { toolName: name, success: !failure, summary, ...(failure && { error: failure.message }) };
          if (showToolCalls) await send('tool_end', end);
        },
        async text({ text }) {
          await enter('generating');
          // What stood between two texts has come before both, so one of them has the blank line.
          const content = asPlainText(hasBlankLine ? text.replace(/^\n+/, '') : text);
          hasBlankLine = content.endsWith('\n\n');
          await streamChunks(
            content,
            exchange,
            (chunk) => send('text', { content: chunk }),
            // The mark is removed from the text in any case; the event follows directly after the cited text.
            async ({ id, text: content, sender, senderId, timestamp }) => {
              if (!detailedCitations) return;
              const cited = { messageId: id, content, senderName: sender, senderId, timestamp, chatId };
              await send('citation', { index: citations++, ...cited });
            },
          );
        },
        async table({ name, columns, rows }) {
          await enter('generating');
          await figures(name, columns, rows);
        },
        async chart(chart) {
          await enter('generating');
          await figures(chart.name, ['', ...chart.series.map(({ name }) => name)], chartRows(chart));
        },
        async record({ name, value }) {
          await enter('generating');
          await send('structured', { dataType: name, ...value });
        },
        // The protocol has no images, so the description is sent as text.
        image: () => Promise.resolve(),
        async error({ code, message, recoverable }) {
          phase = 'error';
          await send('error', { code, message, recoverable });
        },
      },
    );
    if (ending !== 'failed') {
      phase = 'completed';
      const stats = {
        totalTokens: usageOf(exchange).total_tokens,
        iterations: 1 + steps.filter(({ type }) => type === 'tool').length,
      };
      await send('done', { finishReason: 'stop', stats });
    }
    await wire.end();
  },
};
