/** Schemas of the events of Strands agents and of Bedrock's Converse API, limited to the fields that are used. */
import { z } from '../../model/schema.ts';
import { lenient, lenientNumber, lenientRecord, lenientString, lenientText } from '../shared/lenient.ts';

const delta = z.looseObject({
  text: lenientText,
  toolUse: lenient(z.looseObject({ input: lenientString })),
  reasoningContent: lenient(z.looseObject({ text: lenientString })),
});
const toolUse = z.looseObject({ toolUseId: z.string(), name: lenientString, input: lenient(z.unknown()) });
export type ToolUse = z.infer<typeof toolUse>;
const toolResult = z.looseObject({
  toolUseId: z.string(),
  status: lenientString,
  content: lenient(z.array(z.unknown())),
});
export type ToolResult = z.infer<typeof toolResult>;

const message = z.looseObject({
  role: lenientString,
  content: lenient(
    z.array(z.looseObject({ text: lenientString, toolUse: lenient(toolUse), toolResult: lenient(toolResult) })),
  ),
});
export type StrandsMessage = z.infer<typeof message>;

const problem = lenient(z.looseObject({ message: lenientString }));
/** Source: Amazon Bedrock API reference, "ConverseStream"; strands-agents/sdk-python `strands/types/streaming.py`. */
const converse = z.looseObject({
  messageStart: lenient(z.looseObject({ role: lenientString })),
  contentBlockStart: lenient(
    z.looseObject({ contentBlockIndex: lenientNumber, start: lenient(z.looseObject({ toolUse: lenient(toolUse) })) }),
  ),
  contentBlockDelta: lenient(z.looseObject({ contentBlockIndex: lenientNumber, delta: lenient(delta) })),
  messageStop: lenient(z.looseObject({ stopReason: lenientString })),
  metadata: lenient(
    z.looseObject({
      usage: lenient(
        z.looseObject({ inputTokens: lenientNumber, outputTokens: lenientNumber, totalTokens: lenientNumber }),
      ),
    }),
  ),
  redactContent: lenient(z.looseObject({ redactAssistantContentMessage: lenientString })),
  internalServerException: problem,
  modelStreamErrorException: problem,
  serviceUnavailableException: problem,
  throttlingException: problem,
  validationException: problem,
});
export type Converse = z.infer<typeof converse>;
export const EXCEPTIONS = [
  'internalServerException',
  'modelStreamErrorException',
  'serviceUnavailableException',
  'throttlingException',
  'validationException',
] as const;

/**
 * Source: strands-agents/sdk-python `strands/types/_events.py`. A raw event of the model is in `event`, or is the frame
 * itself if not wrapped.
 */
export const strandsEventSchema = z.looseObject({
  ...converse.shape,
  event: lenientRecord,
  data: lenient(z.unknown()),
  reasoningText: lenientString,
  delta: lenient(delta),
  current_tool_use: lenient(toolUse),
  tool_stream_event: lenient(z.looseObject({ tool_use: lenient(toolUse), data: lenient(z.unknown()) })),
  message: lenient(z.union([z.string(), message])),
  result: lenient(z.unknown()),
  /** A model's complete response without streaming. */
  output: lenient(z.looseObject({ message: lenient(message) })),
  force_stop: lenient(z.boolean()),
  force_stop_reason: lenientString,
  error: lenient(z.unknown()),
  node_id: lenientString,
  multi_agent_node_start: lenient(z.boolean()),
  multi_agent_node_stream: lenient(z.boolean()),
});
export type StrandsEvent = z.infer<typeof strandsEventSchema>;
export const parseConverse = (value: unknown): Converse => converse.safeParse(value).data ?? {};
export const parseStrandsMessage = (value: unknown): StrandsMessage | undefined => message.safeParse(value).data;
