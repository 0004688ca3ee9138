/** Graphs as a stranger writes them, with models that say what the test expects. */
import { AIMessage, ToolMessage, type AIMessageChunk, type BaseMessage } from '@langchain/core/messages';
import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager';
import type { ChatGenerationChunk } from '@langchain/core/outputs';
import { FakeListChatModel } from '@langchain/core/utils/testing';
import {
  Annotation,
  END,
  interrupt,
  MessagesAnnotation,
  START,
  StateGraph,
  type LangGraphRunnableConfig,
} from '@langchain/langgraph';

type State = typeof MessagesAnnotation.State;

/** The model says these words, a character at a time. */
const say = (words: string, messages: BaseMessage[], config: LangGraphRunnableConfig): Promise<AIMessageChunk> =>
  new FakeListChatModel({ responses: [words] }).invoke(messages, config);

/** Says what it has been told, so that a history which is there twice shows. */
export const echo = new StateGraph(MessagesAnnotation)
  .addNode('model', async ({ messages }: State, config: LangGraphRunnableConfig) => {
    const heard = messages.map((message) => `${message.type}: ${message.text}`).join('\n');
    return { messages: [await say(`You said:\n${heard}`, messages, config)] };
  })
  .addEdge(START, 'model')
  .compile();

/** A graph within a graph. */
export const nested = new StateGraph(MessagesAnnotation).addNode('inner', echo).addEdge(START, 'inner').compile();

const Trip = Annotation.Root({ ...MessagesAnnotation.spec, city: Annotation<string> });

/** Tells of its work beside its words, and keeps a fact in its state. */
export const trip = new StateGraph(Trip)
  .addNode('look', (_state: typeof Trip.State, { writer }: LangGraphRunnableConfig) => {
    writer?.({ seen: 'a tower\nby the river' });
    return { city: 'Lisbon' };
  })
  .addNode('tell', async ({ messages, city }: typeof Trip.State, config: LangGraphRunnableConfig) => ({
    messages: [await say(`It is ${city}.`, messages, config)],
  }))
  .addEdge(START, 'look')
  .addEdge('look', 'tell')
  .compile();

export const asking = new StateGraph(MessagesAnnotation)
  .addNode('ask', () => {
    const colour = interrupt<object, unknown>({ question: 'Which colour?', options: ['red', 'blue'] });
    return { messages: [new AIMessage(`I take ${JSON.stringify(colour)}.`)] };
  })
  .addEdge(START, 'ask')
  .compile();

/** Two nodes that ask at the same time. */
export const askingTwice = new StateGraph(MessagesAnnotation)
  .addNode('colour', () => ({
    messages: [new AIMessage(`Colour: ${interrupt<string, string>('Which colour?')}.`)],
  }))
  .addNode('size', () => ({ messages: [new AIMessage(`Size: ${interrupt<string, string>('Which size?')}.`)] }))
  .addEdge(START, 'colour')
  .addEdge(START, 'size')
  .compile();

interface Decision {
  readonly type: 'approve' | 'edit' | 'reject';
  readonly editedAction?: { readonly name: string; readonly args: Readonly<Record<string, unknown>> };
  readonly message?: string;
}

/** Three mails that a person decides on, in the form of LangChain's middleware. */
export const review = new StateGraph(MessagesAnnotation)
  .addNode('plan', () => ({
    messages: [
      new AIMessage({
        content: 'I write to them.',
        tool_calls: ['ada', 'bob', 'cy'].map((to) => ({ id: `call_${to}`, name: 'mail', args: { to } })),
      }),
    ],
  }))
  .addNode('mail', ({ messages }: State) => {
    const plan = messages.at(-1);
    const calls = AIMessage.isInstance(plan) ? (plan.tool_calls ?? []) : [];
    const { decisions } = interrupt<object, { readonly decisions: readonly Decision[] }>({
      actionRequests: calls.map(({ name, args }) => ({ name, args, description: `Mail to ${String(args['to'])}` })),
      reviewConfigs: [{ actionName: 'mail', allowedDecisions: ['approve', 'edit', 'reject'] }],
    });
    return {
      messages: calls.map(({ id = '', name, args }, index) => {
        const { type, editedAction, message = 'No.' } = decisions[index] ?? { type: 'reject' };
        const content = type === 'reject' ? message : `Sent to ${String((editedAction?.args ?? args)['to'])}.`;
        return new ToolMessage({ tool_call_id: id, name, content, status: type === 'reject' ? 'error' : 'success' });
      }),
    };
  })
  .addNode('close', async ({ messages }: State, config: LangGraphRunnableConfig) => ({
    messages: [await say('That is all.', messages, config)],
  }))
  .addEdge(START, 'plan')
  .addEdge('plan', 'mail')
  .addEdge('mail', 'close')
  .compile();

/** Stops in the middle of its words until the test lets it go on, or until its run is cancelled. */
class HeldModel extends FakeListChatModel {
  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    for await (const chunk of super._streamResponseChunks(messages, options, runManager)) {
      yield chunk;
      if (chunk.text === ',') await hold(options.signal);
    }
  }
}

function hold(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    process.once('message', () => {
      resolve();
    });
    signal?.addEventListener('abort', () => {
      process.send?.('aborted');
      reject(new Error('The run was cancelled.'));
    });
    process.send?.('held');
  });
}

export const held = new StateGraph(MessagesAnnotation)
  .addNode('model', async ({ messages }: State, config: LangGraphRunnableConfig) => {
    const words = messages.length > 1 ? 'At once.' : 'Half, and whole.';
    return { messages: [await new HeldModel({ responses: [words] }).invoke(messages, config)] };
  })
  .addEdge(START, 'model')
  .compile();

export const broken = new StateGraph(MessagesAnnotation)
  .addNode('model', async ({ messages }: State, config: LangGraphRunnableConfig) => ({
    messages: [await say('I look.', messages, config)],
  }))
  .addNode('look', () => {
    throw new TypeError('The shelf is empty.');
  })
  .addEdge(START, 'model')
  .addEdge('model', 'look')
  .addEdge('look', END)
  .compile();
