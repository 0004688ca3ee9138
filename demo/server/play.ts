import { splitCitations, type SourceCache } from './citation-marks.ts';
import { asMarkdown, sourceLink } from './markdown.ts';
import { chunksOf } from './chunks.ts';
import { waits, type Source, type Step, type StepName, type StepOf } from './step.ts';
import type { Turn } from './turn.ts';
import type { Wire } from './wire.ts';

/** The state of one request while it is answered. */
export interface Exchange {
  readonly steps: readonly Step[];
  readonly turn: Turn;
  readonly wire: Wire;
  /** The results that tools have found so far in this answer. */
  readonly sources: SourceCache;
  readonly query: URLSearchParams;
  /** Milliseconds between two chunks of text. */
  readonly speed: number;
  /** The id of the conversation: from the request, or a new one. */
  readonly conversation: string;
  /**
   * The ids of the calls that the user was asked about, if this request answers them: the client knows them already.
   */
  readonly answered: ReadonlySet<string>;
  /** The id of a call, unique across turns. */
  id(name: string): string;
}

/** `path`: the path after the protocol's name. */
interface SideRequest {
  readonly method: string;
  readonly path: string;
  readonly body: Turn['body'];
}
interface SideAnswer {
  readonly status: number;
  readonly json?: object;
}

/** A protocol implementation of this server. */
export interface Protocol {
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** An invalid frame, for `fault=malformed`. */
  readonly broken: string | Uint8Array;
  /** Whether requests contain only new messages, because the server stores the history. */
  readonly keepsHistory?: true;
  /** The answer to a request outside the conversation, such as one that creates a thread; undefined for all others. */
  beside?(request: SideRequest): SideAnswer | undefined;
  /** The message that a request without a body replies to, if an earlier request has sent it; undefined for all others. */
  bodyOf?(request: Omit<SideRequest, 'body'> & { readonly query: URLSearchParams }): Turn['body'] | undefined;
  /** The request's answer to a question, if the protocol has a field for it in its body or URL. */
  answerOf?(body: Turn['body'], path: string): Turn['answer'];
  /** Sends the answer and ends the output. */
  answer(exchange: Exchange): Promise<void>;
}

/** The steps that a protocol can express. Text is required; missing ones are sent as Markdown. */
export type Voice = { readonly text: (step: StepOf<'text'>) => Promise<unknown> } & {
  readonly [Name in StepName]?: (step: StepOf<Name>) => Promise<unknown>;
};

/** How the script ended. `waiting`: the user or the page has to answer. */
export type Ending = 'complete' | 'waiting' | 'failed';

/** Plays a script through one protocol, up to its end, its first question or its error. */
export async function play({ steps, wire, sources }: Exchange, voice: Voice): Promise<Ending> {
  for (const step of steps) {
    if (wire.closed) return 'failed';
    const emit = voice[step.type];
    // TypeScript cannot relate the key to the argument; the mapped type above guarantees it.
    if (emit) await emit(step as never);
    else await streamMarkdown(step, voice);
    if (step.type === 'tool') for (const source of step.sources ?? []) sources.set(source.id, source);
    if (step.type === 'error') return 'failed';
    if (waits(step)) return 'waiting';
  }
  return 'complete';
}

async function streamMarkdown(step: Step, voice: Voice): Promise<void> {
  const text = asMarkdown(step);
  if (text) await voice.text({ type: 'text', text });
}

/** Sends a text in chunks. `cite` is called where a source belongs; without it, a link is sent. */
export async function streamChunks(
  text: string,
  { wire, sources }: Pick<Exchange, 'wire' | 'sources'>,
  emit: (words: string) => Promise<unknown>,
  cite: (source: Source) => Promise<unknown> = (source) => emit(sourceLink(source)),
): Promise<void> {
  const marks = splitCitations(sources);
  const emitParts = async (found: ReturnType<typeof marks.feed>): Promise<void> => {
    for (const chunk of found) await ('words' in chunk ? emit(chunk.words) : cite(chunk.source));
  };
  for (const chunk of chunksOf(text)) {
    if (wire.closed) return;
    await emitParts(marks.feed(chunk));
  }
  await emitParts(marks.end());
}

/** Estimates the number of tokens: four characters a token. */
export function usageOf({ steps, turn }: Exchange): {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
} {
  const count = (value: unknown): number => Math.ceil(JSON.stringify(value).length / 4);
  const prompt_tokens = count(turn.body);
  const completion_tokens = count(steps.filter(({ type }) => type === 'text' || type === 'think'));
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
}

/** Formats a server-sent event, with a name if it has one. */
export const sse = (data: unknown, name?: string): string =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
export const BROKEN_SSE = 'data: {"type": "text", "content": "a frame that was cut\n\n';
