/** The server of Google's ADK for JavaScript (`adk api_server`), with agents whose model plays scripted answers. */
import {
  BaseLlm,
  FunctionNode,
  FunctionTool,
  getUserChoiceTool,
  LlmAgent,
  LongRunningFunctionTool,
  RequestInput,
  setLogger,
  Workflow,
  type BaseLlmConnection,
  type Context,
  type LlmRequest,
  type LlmResponse,
  type Logger,
} from '@google/adk';
import { AdkApiServer } from '@google/adk-devtools';
import { z } from 'zod';

type ServerOptions = ConstructorParameters<typeof AdkApiServer>[0];
type Content = NonNullable<LlmResponse['content']>;
type Part = NonNullable<Content['parts']>[number];

/** The model's responses to one request. It waits for promises, and throws errors. */
export type Answer = readonly (LlmResponse | Promise<unknown> | Error)[];

export interface AdkServer {
  readonly origin: string;
  /** Sets the answers of the model's next requests, in order. */
  play(...answers: readonly Answer[]): void;
  /** The conversations that the model received, in order. */
  readonly histories: readonly (readonly string[])[];
  /** The system instructions that the model received, in order. */
  readonly instructions: readonly string[];
  /** The calls of the tools that have run. */
  readonly ran: readonly string[];
  close(): Promise<void>;
}

const model = (...parts: Part[]): Content => ({ role: 'model', parts });
const textContent = (words: string): Content => model({ text: words });

/** A streamed text: chunks, and then the complete text, as the Gemini model of ADK sends it. */
export const text = (...chunks: readonly string[]): Answer => [
  ...chunks.map((chunk) => ({ content: model({ text: chunk }), partial: true })),
  { content: model({ text: chunks.join('') }), usageMetadata: { promptTokenCount: 2, candidatesTokenCount: 3 } },
];
export const thought = (reasoning: string, answer: string): Answer => [
  { content: model({ text: reasoning, thought: true }), partial: true },
  { content: model({ text: answer }), partial: true },
  { content: model({ text: reasoning, thought: true }, { text: answer }) },
];
export const call = (name: string, args: Record<string, unknown>): Answer => calls([name, args]);
export const calls = (...all: readonly (readonly [name: string, args: Record<string, unknown>])[]): Answer => [
  { content: model(...all.map(([name, args]) => ({ functionCall: { name, args } }))) },
];
/** The response of a model that refuses. */
export const refusal = (errorCode: string, errorMessage: string): Answer => [{ errorCode, errorMessage }];

/** Short form of a message that the model received. */
const inShort = ({ role = '', parts = [] }: Content): string =>
  `${role}: ${parts
    .map(({ text: words, functionCall, functionResponse }) => {
      if (functionCall) return `${functionCall.name ?? ''}(${JSON.stringify(functionCall.args)})`;
      if (functionResponse) return `${functionResponse.name ?? ''} → ${JSON.stringify(functionResponse.response)}`;
      return words ?? '(file)';
    })
    .join(', ')}`;

/**
 * Requests its confirmations itself, with data. The server accepts answers only for tools that declare that they need
 * confirmations.
 */
class Payment extends FunctionTool<z.ZodObject<{ amount: z.ZodNumber }>> {
  override checkRequireConfirmation(): Promise<boolean> {
    return Promise.resolve(true);
  }
}

const silent = (): void => undefined;
/** The server prints each request and each error, also those that a test expects. */
const silentLogger: Logger = {
  log: silent,
  debug: silent,
  info: silent,
  warn: silent,
  error: silent,
  setLogLevel: silent,
};

/** The apps: an agent with all tools and a sub-agent, and a workflow that asks the user. */
type App = 'helper' | 'flow';

export async function adkServer(apps: readonly App[] = ['helper']): Promise<AdkServer> {
  setLogger(null);
  let answers: Answer[] = [];
  const histories: (readonly string[])[] = [];
  const instructions: string[] = [];
  const ran: string[] = [];

  class ScriptedModel extends BaseLlm {
    override async *generateContentAsync(
      { contents, config }: LlmRequest,
      stream?: boolean,
    ): AsyncGenerator<LlmResponse, void> {
      histories.push(contents.map(inShort));
      instructions.push(typeof config?.systemInstruction === 'string' ? config.systemInstruction : '');
      for (const response of answers.shift() ?? text('Nothing is left to say.')) {
        if (response instanceof Error) throw response;
        if (response instanceof Promise) await response;
        else if (stream || !response.partial) yield response;
      }
    }
    override connect(): Promise<BaseLlmConnection> {
      return Promise.reject(new Error('This model has no live connection.'));
    }
  }

  const city = z.object({ city: z.string() });
  const tools = [
    new FunctionTool({
      name: 'weather',
      description: 'Returns the weather in a city.',
      parameters: city,
      execute: (input, context?: Context) => {
        ran.push(`weather in ${input.city}`);
        context?.state.set('city', input.city);
        return { city: input.city, degrees: 21 };
      },
    }),
    new FunctionTool({
      name: 'fail',
      description: 'Fails.',
      execute: () => {
        throw new Error('The stock can’t be read.');
      },
    }),
    new FunctionTool({
      name: 'book',
      description: 'Books a trip.',
      parameters: city,
      requireConfirmation: true,
      execute: (input) => {
        ran.push(`book ${input.city}`);
        return `booked ${input.city}`;
      },
    }),
    new Payment({
      name: 'pay',
      description: 'Pays an amount that the user can change.',
      parameters: z.object({ amount: z.number() }),
      execute: ({ amount }, context?: Context) => {
        const confirmation = context?.toolConfirmation;
        if (!confirmation) {
          context?.requestConfirmation({ hint: `Pay ${String(amount)}?`, payload: { amount } });
          return { status: 'The user is asked.' };
        }
        if (!confirmation.confirmed) return { status: 'Not paid.' };
        const payload = JSON.stringify(confirmation.payload);
        ran.push(`pay ${payload}`);
        return { paid: payload };
      },
    }),
    new FunctionTool({
      name: 'report',
      description: 'Writes a report.',
      execute: async (_input, context?: Context) => {
        await context?.saveArtifact('report.txt', { text: 'All is well.' });
        return 'Written.';
      },
    }),
    // Its result comes from the page.
    new LongRunningFunctionTool({ name: 'where', description: 'Returns the user’s place.', execute: () => null }),
    new LongRunningFunctionTool({
      name: 'ask_boss',
      description: 'Asks the boss.',
      execute: () => ({ status: 'pending' }),
    }),
    getUserChoiceTool,
  ];

  const ask = new FunctionNode('ask', () => new RequestInput({ message: 'Which colour?' }));
  const tell = new FunctionNode('tell', (_context, colour) => textContent(`I take ${String(colour)}.`));
  const flow = new Workflow({ name: 'flow', edges: [['START', ask, tell]] });

  const scripted = new ScriptedModel({ model: 'scripted' });
  const shop = new LlmAgent({
    name: 'shop',
    model: scripted,
    description: 'Sells tickets.',
    instruction: 'You sell tickets.',
  });
  const agents: Readonly<Record<App, LlmAgent | Workflow>> = {
    helper: new LlmAgent({
      name: 'helper',
      model: scripted,
      instruction: 'Be kind. {system?} {page?}',
      tools,
      subAgents: [shop],
    }),
    flow,
  };
  const isApp = (name: string): name is App => apps.some((app) => app === name);
  // The server compiles the files of a folder; this loader has the same methods for agents of the test.
  const agentLoader = {
    listAgents: () => Promise.resolve(apps),
    getAgentFile: (app: string) =>
      isApp(app)
        ? Promise.resolve({ load: () => Promise.resolve(agents[app]), [Symbol.asyncDispose]: () => Promise.resolve() })
        : Promise.reject(new Error(`Agent '${app}' not found.`)),
  } as unknown as NonNullable<ServerOptions['agentLoader']>;
  const server = new AdkApiServer({ host: '127.0.0.1', agentLoader, logger: silentLogger });
  await quietly(() => server.start());
  return {
    origin: server.url,
    play(...next) {
      answers = [...next];
      for (const list of [histories, instructions, ran]) list.length = 0;
    },
    histories,
    instructions,
    ran,
    close: () => quietly(() => server.stop()),
  };
}

/** The server prints a banner when it starts and when it stops. */
async function quietly(act: () => Promise<void>): Promise<void> {
  const { log } = console;
  console.log = silent;
  try {
    await act();
  } finally {
    console.log = log;
  }
}
