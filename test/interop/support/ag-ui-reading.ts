/** Reads a run with AG-UI's own client and with ours. */
import { HttpAgent, type Message } from '@ag-ui/client';
import type { ChatMessage } from '../../../src/model/message.ts';
import { isRecord } from '../../../src/model/json.ts';
import { realChat } from './real-chat.ts';

export interface AgUiReading {
  /** The visible parts, in order. A call includes its result. */
  readonly parts: readonly object[];
  readonly state: unknown;
  readonly error: string | undefined;
}

export async function readTheirs(url: string): Promise<AgUiReading> {
  const agent = new HttpAgent({ url, threadId: 't', initialMessages: [{ id: 'u', role: 'user', content: 'Hi' }] });
  let error: string | undefined;
  try {
    await agent.runAgent(
      {},
      {
        onRunErrorEvent: ({ event }) => {
          error = event.message;
        },
      },
    );
  } catch (thrown) {
    error ??= String(thrown);
  }
  const newMessages = agent.messages.slice(agent.messages.findLastIndex(({ role }) => role === 'user') + 1);
  const results = new Map(
    newMessages.flatMap((message) => (message.role === 'tool' ? [[message.toolCallId, message.content] as const] : [])),
  );
  return { parts: newMessages.flatMap((message) => partsOf(message, results)), state: agent.state as unknown, error };
}

function partsOf(message: Message, results: ReadonlyMap<string, unknown>): readonly object[] {
  switch (message.role) {
    case 'assistant':
      return [
        ...(typeof message.content === 'string' && message.content ? [{ text: message.content }] : []),
        ...(message.toolCalls ?? []).map(({ id, function: { name, arguments: params } }) => ({
          call: name,
          params,
          response: results.get(id),
        })),
      ];
    case 'reasoning':
      return [{ thought: message.content }];
    case 'activity':
      return [{ activity: message.activityType, content: message.content }];
    default:
      return [];
  }
}

export async function readOurs(url: string): Promise<AgUiReading> {
  const { chat } = realChat({ endpoint: url, protocol: 'auto' });
  await chat.send('Hi');
  const replies = chat.messages.filter(({ role }) => role !== 'user');
  const error = replies.flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.type === 'error' ? [block.content] : [])),
  );
  return { parts: replies.flatMap(visiblePartsOf), state: chat.store.state.agentState ?? {}, error: error[0] };
}

const visiblePartsOf = ({ blocks }: ChatMessage): readonly object[] =>
  blocks.flatMap((block): readonly object[] => {
    switch (block.type) {
      case 'content':
        return [{ text: block.content }];
      case 'reasoning_content':
        return [{ thought: block.content }];
      case 'tool_call': {
        const { name, params, response } = block.tool_call;
        return [{ call: name, params, response }];
      }
      case 'data': {
        const { data, metadata } = block.data;
        return [{ activity: isRecord(metadata) ? metadata['activityType'] : undefined, content: data }];
      }
      default:
        return [];
    }
  });
