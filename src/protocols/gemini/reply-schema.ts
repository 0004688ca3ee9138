/**
 * Schemas of the fields that are read from Gemini's chunks. A field that is missing, null or of another type is
 * parsed as undefined.
 * Source: `docs/protocols/gemini.md`.
 */
import { lenient, lenientText } from '../shared/lenient.ts';
import { recordOf, z } from '../../model/schema.ts';

const string = lenient(z.string());
const number = lenient(z.number());
const boolean = lenient(z.boolean());
const list = <Schema extends z.ZodMiniType>(schema: Schema) => lenient(z.array(lenient(schema)));

const partialArg = z.object({
  jsonPath: z.string(),
  stringValue: string,
  numberValue: number,
  boolValue: boolean,
  /** Any value, such as `NULL_VALUE`. */
  nullValue: z.exactOptional(z.unknown()),
  willContinue: boolean,
});
export type PartialArg = z.infer<typeof partialArg>;

const functionCall = z.object({
  id: string,
  name: string,
  /** An object; some proxies send it as JSON text. */
  args: lenient(z.union([z.string(), recordOf(z.unknown())])),
  partialArgs: list(partialArg),
  willContinue: boolean,
});
export type FunctionCall = z.infer<typeof functionCall>;

export const part = z.object({
  text: lenientText,
  thought: boolean,
  thoughtSignature: string,
  inlineData: lenient(z.object({ mimeType: string, data: z.string() })),
  fileData: lenient(z.object({ mimeType: string, fileUri: z.string() })),
  functionCall: lenient(functionCall),
  executableCode: lenient(z.object({ id: string, language: string, code: string })),
  codeExecutionResult: lenient(z.object({ id: string, outcome: string, output: string })),
  toolCall: lenient(z.object({ id: string, toolType: string, args: z.exactOptional(z.unknown()) })),
  toolResponse: lenient(z.object({ id: string, toolType: string, response: z.exactOptional(z.unknown()) })),
});
export type Part = z.infer<typeof part>;

const source = lenient(z.object({ uri: string, title: string, text: string }));
const grounding = z.object({
  webSearchQueries: list(z.string()),
  searchEntryPoint: lenient(z.object({ renderedContent: string })),
  groundingChunks: list(
    z.object({
      web: source,
      retrievedContext: source,
      maps: source,
      image: lenient(z.object({ sourceUri: string, title: string })),
    }),
  ),
  groundingSupports: list(
    z.object({
      segment: lenient(z.object({ startIndex: number, endIndex: number, text: string })),
      groundingChunkIndices: list(z.number()),
    }),
  ),
});
export type Grounding = z.infer<typeof grounding>;

const recitation = list(z.object({ uri: string, license: string, startIndex: number, endIndex: number }));

/** The sources of an answer; any chunk may contain them. */
const sourceShape = {
  groundingMetadata: lenient(grounding),
  urlContextMetadata: lenient(
    z.object({ urlMetadata: list(z.object({ retrievedUrl: string, urlRetrievalStatus: string })) }),
  ),
  /** Vertex AI has another name for the same list. */
  citationMetadata: lenient(z.object({ citationSources: recitation, citations: recitation })),
};
export const sourceFields = z.object(sourceShape);

const candidate = z.object({
  ...sourceShape,
  index: number,
  /** The parts are parsed one by one, because they are sent back unchanged. */
  content: lenient(z.object({ parts: lenient(z.array(z.unknown())) })),
  finishReason: string,
  finishMessage: string,
});
export type Candidate = z.infer<typeof candidate>;

const usage = z.object({
  promptTokenCount: number,
  candidatesTokenCount: number,
  thoughtsTokenCount: number,
  totalTokenCount: number,
});
export type Usage = z.infer<typeof usage>;

const anything = z.exactOptional(z.unknown());
const problem = z.object({ code: number, message: anything, status: string, details: anything });
export type Problem = z.infer<typeof problem>;

export const chunk = z.object({
  candidates: list(candidate),
  promptFeedback: lenient(z.object({ blockReason: string, blockReasonMessage: string })),
  usageMetadata: lenient(usage),
  /** Proxies also send text or a list. */
  error: lenient(z.union([z.string(), z.array(z.unknown()), problem])),
});
export type Chunk = z.infer<typeof chunk>;
