import { splitCitations, type SourceCache } from './citation-marks.ts';
import { asMarkdown, sourceLink } from './markdown.ts';
import { piecesOf } from './pieces.ts';
import { waits, type Source, type Step, type StepName, type StepOf } from './step.ts';
import type { Turn } from './turn.ts';
import type { Wire } from './wire.ts';

/** One request being answered. */
export interface Exchange {
  readonly steps: readonly Step[];
  readonly turn: Turn;
  readonly wire: Wire;
  /** What tools have found so far in this answer. */
  readonly sources: SourceCache;
  readonly query: URLSearchParams;
  /** Milliseconds between two pieces of text. */
  readonly speed: number;
  /** The id of the conversation: the request's own, or a new one. */
  readonly conversation: string;
  /** The ids of the calls that the reader was asked about, where this request answers: the reader knows them already. */
  readonly answered: ReadonlySet<string>;
  /** The id of a call, told apart from the same one of another turn. */
  id(name: string): string;
}

/** `path`: what stands behind the protocol's name. */
interface SideRequest {
  readonly method: string;
  readonly path: string;
  readonly body: Turn['body'];
}
interface SideAnswer {
  readonly status: number;
  readonly json?: object;
}

/** A protocol as this server speaks it. */
export interface Protocol {
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A frame that nobody can read, for `fault=malformed`. */
  readonly broken: string | Uint8Array;
  /** Requests tell what is new alone: the server keeps the history. */
  readonly keepsHistory?: true;
  /** The answer to a request beside the conversation, such as one that makes a thread; undefined for all others. */
  beside?(request: SideRequest): SideAnswer | undefined;
  /** What the request has told apart as the answer to a question, where the protocol has a place for it. */
  answerOf?(body: Turn['body']): Turn['answer'];
  /** Answers, and ends the wire. */
  answer(exchange: Exchange): Promise<void>;
}

/** What a protocol has a place for. The words it must have; what else is missing is said in Markdown. */
export type Voice = { readonly text: (step: StepOf<'text'>) => Promise<unknown> } & {
  readonly [Name in StepName]?: (step: StepOf<Name>) => Promise<unknown>;
};

/** How the script ended. `waiting`: the reader, or the page, has to answer. */
export type Ending = 'complete' | 'waiting' | 'failed';

/** Plays a script in one voice, up to its end, its first question or its error. */
export async function play({ steps, wire, sources }: Exchange, voice: Voice): Promise<Ending> {
  for (const step of steps) {
    if (wire.closed) return 'failed';
    const say = voice[step.type];
    // TypeScript cannot tie the key to the argument; the mapped type above is the proof.
    if (say) await say(step as never);
    else await sayMarkdown(step, voice);
    if (step.type === 'tool') for (const source of step.sources ?? []) sources.set(source.id, source);
    if (step.type === 'error') return 'failed';
    if (waits(step)) return 'waiting';
  }
  return 'complete';
}

async function sayMarkdown(step: Step, voice: Voice): Promise<void> {
  const text = asMarkdown(step);
  if (text) await voice.text({ type: 'text', text });
}

/**
 * Says a text piece by piece. `cite` is told where a source belongs; without it, a link stands there.
 */
export async function sayPieces(
  text: string,
  { wire, sources }: Pick<Exchange, 'wire' | 'sources'>,
  say: (words: string) => Promise<unknown>,
  cite: (source: Source) => Promise<unknown> = (source) => say(sourceLink(source)),
): Promise<void> {
  const marks = splitCitations(sources);
  const tell = async (found: ReturnType<typeof marks.feed>): Promise<void> => {
    for (const piece of found) await ('words' in piece ? say(piece.words) : cite(piece.source));
  };
  for (const piece of piecesOf(text)) {
    if (wire.closed) return;
    await tell(marks.feed(piece));
  }
  await tell(marks.end());
}

/** A guess at what a model would have counted: four characters a token. */
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

/** The frame of a server-sent event, with a name where it has one. */
export const sse = (data: unknown, name?: string): string =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
export const BROKEN_SSE = 'data: {"type": "text", "content": "a frame that was cut\n\n';
