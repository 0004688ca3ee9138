/** The content of a reply in a form that two independent readers of a stream must agree on. */
import { canonical, parseJson } from '../json.ts';

/** A text that the stream does not contain: the arguments of a tool of the server, or the words of a refusal. */
export const ANY = '*';

interface ExpectedCall {
  /** Empty: the protocol has no ids for this call. */
  readonly id: string;
  readonly name: string;
  /** JSON with sorted fields, the text if it is not JSON, or `ANY`. */
  readonly args: string;
}

/** `cut`: the stream ended without an end. */
export type ExpectedEnd = 'complete' | 'tool_use' | 'max_tokens' | 'stop_sequence' | 'error' | 'cut';

export interface Summary {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly ExpectedCall[];
  /** URLs, without duplicates, sorted. */
  readonly sources: readonly string[];
  readonly images: number;
  readonly errors: readonly string[];
  readonly end: ExpectedEnd;
}

/** A summary while it is being built. */
export interface Draft {
  text: string;
  reasoning: string;
  readonly calls: { id: string; name: string; args: string }[];
  readonly sources: Set<string>;
  images: number;
  readonly errors: string[];
  end: ExpectedEnd | undefined;
}

export const emptyDraft = (): Draft => ({
  text: '',
  reasoning: '',
  calls: [],
  sources: new Set(),
  images: 0,
  errors: [],
  end: undefined,
});

/** Arguments that mean the same have the same text. A call without arguments has none or an empty object. */
export function canonicalArguments(text: string): string {
  if (text.trim() === '') return '{}';
  const value = parseJson(text);
  return value === undefined ? text : canonical(value);
}

export const finishDraft = ({ calls, sources, end, errors, ...rest }: Draft): Summary => ({
  ...rest,
  errors,
  calls: calls.map(({ id, name, args }) => ({ id, name, args: canonicalArguments(args) })),
  sources: [...sources].sort(),
  end: errors.length > 0 ? 'error' : (end ?? 'cut'),
});

const ends: Readonly<Record<string, ExpectedEnd>> = {
  length: 'max_tokens',
  max_tokens: 'max_tokens',
  max_output_tokens: 'max_tokens',
  model_length: 'max_tokens',
  model_context_window_exceeded: 'max_tokens',
  stop_sequence: 'stop_sequence',
  content_filter: 'error',
  refusal: 'error',
  safety: 'error',
  recitation: 'error',
  prohibited_content: 'error',
  blocklist: 'error',
  spii: 'error',
  image_safety: 'error',
  error: 'error',
};

/** The end for a vendor's finish reason. Whether a normal end means calls is decided by the calls. */
export const endOf = (reason: string, { calls }: Pick<Draft, 'calls'>): ExpectedEnd =>
  ends[reason.toLowerCase()] ?? (calls.length > 0 ? 'tool_use' : 'complete');

/**
 * Open models put their reasoning into tags at the start of the text. Some chat templates contain the opening tag, so
 * that only the closing one is in the reply.
 */
export function splitThinking(draft: Draft): void {
  const tags = /^\s*<(think|thinking)>([\s\S]*?)(?:<\/\1>\s*|$)|^([\s\S]*?)<\/think>\s*/.exec(draft.text);
  if (!tags) return;
  draft.reasoning += (tags[2] ?? tags[3] ?? '').trim();
  draft.text = draft.text.slice(tags[0].length);
}
