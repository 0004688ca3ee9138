/** What is read of Gemini's chunks. Every field may be absent, null or of another type: then it says nothing. Source: `gemini.md`. */
import { maybe } from '../shared/maybe.ts';
import { z } from '../../model/schema.ts';

const string = maybe(z.string());
const number = maybe(z.number());
const boolean = maybe(z.boolean());
const list = <Schema extends z.ZodMiniType>(schema: Schema) => maybe(z.array(maybe(schema)));

const partialArg = z.object({
  jsonPath: z.string(),
  stringValue: string,
  numberValue: number,
  boolValue: boolean,
  /** Its name, whatever that is: `NULL_VALUE`. */
  nullValue: z.exactOptional(z.unknown()),
  willContinue: boolean,
});
export type PartialArg = z.infer<typeof partialArg>;

const functionCall = z.object({
  id: string,
  name: string,
  /** An object; some proxies send it as text. */
  args: maybe(z.union([z.string(), z.record(z.string(), z.unknown())])),
  partialArgs: list(partialArg),
  willContinue: boolean,
});
export type FunctionCall = z.infer<typeof functionCall>;

export const part = z.object({
  text: string,
  thought: boolean,
  thoughtSignature: string,
  inlineData: maybe(z.object({ mimeType: string, data: z.string() })),
  fileData: maybe(z.object({ mimeType: string, fileUri: z.string() })),
  functionCall: maybe(functionCall),
  executableCode: maybe(z.object({ id: string, language: string, code: string })),
  codeExecutionResult: maybe(z.object({ id: string, outcome: string, output: string })),
  toolCall: maybe(z.object({ id: string, toolType: string, args: z.exactOptional(z.unknown()) })),
  toolResponse: maybe(z.object({ id: string, toolType: string, response: z.exactOptional(z.unknown()) })),
});
export type Part = z.infer<typeof part>;

const source = maybe(z.object({ uri: string, title: string, text: string }));
const grounding = z.object({
  webSearchQueries: list(z.string()),
  searchEntryPoint: maybe(z.object({ renderedContent: string })),
  groundingChunks: list(
    z.object({
      web: source,
      retrievedContext: source,
      maps: source,
      image: maybe(z.object({ sourceUri: string, title: string })),
    }),
  ),
  groundingSupports: list(
    z.object({
      segment: maybe(z.object({ startIndex: number, endIndex: number, text: string })),
      groundingChunkIndices: list(z.number()),
    }),
  ),
});
export type Grounding = z.infer<typeof grounding>;

const recitation = list(z.object({ uri: string, license: string, startIndex: number, endIndex: number }));

const candidate = z.object({
  index: number,
  /** The parts are read one by one: what goes back is what came. */
  content: maybe(z.object({ parts: maybe(z.array(z.unknown())) })),
  finishReason: string,
  finishMessage: string,
  groundingMetadata: maybe(grounding),
  urlContextMetadata: maybe(
    z.object({ urlMetadata: list(z.object({ retrievedUrl: string, urlRetrievalStatus: string })) }),
  ),
  /** Vertex has another name for the same list. */
  citationMetadata: maybe(z.object({ citationSources: recitation, citations: recitation })),
});
export type Candidate = z.infer<typeof candidate>;

const usage = z.object({
  promptTokenCount: number,
  candidatesTokenCount: number,
  thoughtsTokenCount: number,
  totalTokenCount: number,
});
export type Usage = z.infer<typeof usage>;

const problem = z.object({ code: number, message: string, status: string, details: z.exactOptional(z.unknown()) });
export type Problem = z.infer<typeof problem>;

export const chunk = z.object({
  candidates: list(candidate),
  promptFeedback: maybe(z.object({ blockReason: string, blockReasonMessage: string })),
  usageMetadata: maybe(usage),
  error: maybe(problem),
});
export type Chunk = z.infer<typeof chunk>;
