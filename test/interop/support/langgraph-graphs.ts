/** Graphs as users of LangGraph write them, with models whose output the test defines. */
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

/** The model's output, streamed character by character. */
const answer = (text: string, messages: BaseMessage[], config: LangGraphRunnableConfig): Promise<AIMessageChunk> =>
  new FakeListChatModel({ responses: [text] }).invoke(messages, config);

/** Repeats all messages that it received, so that a duplicated history is visible. */
export const echo = new StateGraph(MessagesAnnotation)
  .addNode('model', async ({ messages }: State, config: LangGraphRunnableConfig) => {
    const received = messages.map((message) => `${message.type}: ${message.text}`).join('\n');
    return { messages: [await answer(`You said:\n${received}`, messages, config)] };
  })
  .addEdge(START, 'model')
  .compile();

/** A graph inside a graph. */
export const nested = new StateGraph(MessagesAnnotation).addNode('inner', echo).addEdge(START, 'inner').compile();

const Trip = Annotation.Root({ ...MessagesAnnotation.spec, city: Annotation<string> });

/** Writes custom data beside its text, and stores a value in its state. */
export const trip = new StateGraph(Trip)
  .addNode('look', (_state: typeof Trip.State, { writer }: LangGraphRunnableConfig) => {
    writer?.({ seen: 'a tower\nby the river' });
    return { city: 'Lisbon' };
  })
  .addNode('tell', async ({ messages, city }: typeof Trip.State, config: LangGraphRunnableConfig) => ({
    messages: [await answer(`It is ${city}.`, messages, config)],
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

/** Three mails that need a decision, in the format of LangChain's middleware. */
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
    messages: [await answer('That is all.', messages, config)],
  }))
  .addEdge(START, 'plan')
  .addEdge('plan', 'mail')
  .addEdge('mail', 'close')
  .compile();

/** Pauses in the middle of its text until the test releases it, or until its run is cancelled. */
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
    const text = messages.length > 1 ? 'At once.' : 'Half, and whole.';
    return { messages: [await new HeldModel({ responses: [text] }).invoke(messages, config)] };
  })
  .addEdge(START, 'model')
  .compile();

export const broken = new StateGraph(MessagesAnnotation)
  .addNode('model', async ({ messages }: State, config: LangGraphRunnableConfig) => ({
    messages: [await answer('I look.', messages, config)],
  }))
  .addNode('look', () => {
    throw new TypeError('The shelf is empty.');
  })
  .addEdge(START, 'model')
  .addEdge('model', 'look')
  .addEdge('look', END)
  .compile();
