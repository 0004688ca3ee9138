/** What an encoder is: scripted steps in, the frames of one protocol out. Encoders are pure. */
import type { LLMAgentEventData } from '../../../model/events/agent-events.ts';

export interface ScriptedCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: object;
}

/** How a reply ends. `calls`: the page has to run tools. */
export type Ending = 'complete' | 'calls' | 'error';

/** The frames of one reply, in the order in which they are asked for. A step without a function can't be expressed. */
interface ReplyEncoder {
  readonly start?: readonly string[];
  text(text: string): readonly string[];
  reasoning?(text: string): readonly string[];
  /** A call that the page runs. */
  call?(call: ScriptedCall): readonly string[];
  /** A call of the agent's own tool, with its result. */
  result?(call: ScriptedCall, result: unknown): readonly string[];
  /** The same, with its error. */
  failure?(call: ScriptedCall, message: string): readonly string[];
  error?(message: string): readonly string[];
  event?(data: Omit<LLMAgentEventData, 'eventId'>): readonly string[];
  end?(ending: Ending): readonly string[];
}

interface SideRequest {
  readonly url: string;
  readonly method: string;
}

interface SideResponse {
  readonly status: number;
  readonly json: object;
  /** The request sends the message after all, but the next request gets the reply. */
  readonly isMessage?: boolean;
}

export interface ProtocolEncoder {
  readonly headers: Readonly<Record<string, string>>;
  /** The end of the endpoint's path, where the protocol has one of its own. */
  readonly path?: string;
  /** The JSON response to a request that does not send the message, such as one that creates a session. */
  aside?(request: SideRequest): SideResponse | undefined;
  /** @param id - unique for each reply */
  open(id: string): ReplyEncoder;
}

export const SSE = { 'content-type': 'text/event-stream' } as const;
export const LINES = { 'content-type': 'application/x-ndjson' } as const;

/** A server-sent event. */
export const sse = (value: unknown, name?: string): string =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`;
export const line = (value: unknown): string => `${JSON.stringify(value)}\n`;

/** A text in the pieces that it is streamed in. */
export const words = (text: string): readonly string[] => text.split(/(?<=\s)(?=\S)/);
export const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
export const argumentsOf = ({ arguments: given }: ScriptedCall): string => JSON.stringify(given);

export const DONE = 'data: [DONE]\n\n';
