/** Schemas of the events of an eve session. Source: `eve` 0.80.1, `protocol/message.d.ts`, `shared/input.d.ts`. */
import { recordOf, z } from '../../model/schema.ts';
import { lenient, lenientNumber, lenientRecord, lenientString, lenientText } from '../shared/lenient.ts';

/** A call: of a tool, a skill or another agent, each with its own field for the name. */
const action = z.looseObject({
  callId: z.string(),
  toolName: lenientString,
  subagentName: lenientString,
  remoteAgentName: lenientString,
  name: lenientString,
  input: lenientRecord,
});
export type EveAction = z.infer<typeof action>;

const inputRequest = z.looseObject({
  requestId: z.string(),
  kind: lenientString,
  prompt: lenientString,
  action: lenient(action),
  options: lenient(
    z.array(z.looseObject({ id: z.string(), label: lenientString, description: lenientString, style: lenientString })),
  ),
});
export type EveInputRequest = z.infer<typeof inputRequest>;

/** The fields of all kinds of events. */
const data = z.looseObject({
  messageDelta: lenientText,
  message: lenientText,
  reasoningDelta: lenientText,
  reasoning: lenientString,
  callId: lenientString,
  toolName: lenientString,
  inputTextDelta: lenientString,
  actions: lenient(z.array(lenient(action))),
  presentation: lenient(recordOf(z.looseObject({ label: lenientString }))),
  result: lenient(z.unknown()),
  output: lenient(z.unknown()),
  status: lenientString,
  error: lenient(z.looseObject({ message: lenientString, code: lenientString })),
  requests: lenient(z.array(lenient(inputRequest))),
  on: lenientString,
  code: lenientString,
  name: lenientString,
  description: lenientString,
  authorization: lenient(z.looseObject({ url: lenientString, userCode: lenientString, instructions: lenientString })),
  /** Why the model call of a step ended. */
  finishReason: lenientString,
  usage: lenient(z.looseObject({ inputTokens: lenientNumber, outputTokens: lenientNumber })),
});
export type EveData = z.infer<typeof data>;
export const NO_DATA: EveData = data.parse({});

/** The result of a call. */
export const eveResult = z.looseObject({
  callId: z.string(),
  isError: lenient(z.boolean()),
  output: lenient(z.unknown()),
});

export const eveEvent = z.looseObject({
  type: z.string(),
  data: lenient(data),
  meta: lenient(z.looseObject({ deliveryIds: lenient(z.array(z.string())) })),
});
export type EveEvent = z.infer<typeof eveEvent>;
