import { corpora, kilobytes, type CorpusName } from '../corpora/corpora.ts';
import type * as Stream from '../page/stream.ts';
import type { Stage } from './browser.ts';
import type { Figure } from './figures.ts';
import type { Bench } from './suite.ts';

const TOKENS_A_FRAME = 200;
/** Time limit (ms). A contestant that takes longer is cut off, and its figure is the time used until then. */
const CAP_MS = 40_000;
const QUICK_CAP_MS = 25_000;

const sizes = new Map<CorpusName, number>();
/** Returns a corpus and its size in KB, and creates it only once. */
export function sizeOf(corpus: CorpusName): number {
  const size = sizes.get(corpus) ?? kilobytes(corpora[corpus]());
  sizes.set(corpus, size);
  return size;
}

/** The names of the contestants in the tables. */
export const peers: Readonly<Record<string, string>> = {
  limit: 'the limit',
  ours: '`<agent-chat-markdown>`',
  sketch: 'sketch (marked, last block only)',
  smd: 'streaming-markdown',
  streamdown: 'streamdown + React',
  naive: 'marked + DOMPurify + innerHTML',
  'deep-chat': 'deep-chat',
};

/** Streams a corpus into a contestant on a new stage; returns CPU milliseconds per KB of text. */
export async function cpuPerKb({ browser, quick }: Bench, contestant: string, corpus: CorpusName): Promise<Figure> {
  const stage = await browser.openStage();
  try {
    const stream = stage.script<typeof Stream>('stream');
    await stream('prepare', contestant, corpus);
    await stage.collectGarbage();
    const { cpu, result } = await stage.cpuOf(() => stream('play', TOKENS_A_FRAME, quick ? QUICK_CAP_MS : CAP_MS));
    if (result.isComplete) await checkShown(stage, contestant, corpus);
    return { value: cpu / sizeOf(corpus), atLeast: !result.isComplete };
  } finally {
    await stage.close();
  }
}

/**
 * Markup and URLs are not visible, so less than the complete text is. Much less would mean that nothing was measured.
 */
const LEAST_SHOWN = 0.4;

async function checkShown(stage: Stage, contestant: string, corpus: CorpusName): Promise<void> {
  const { characters } = await stage.script<typeof Stream>('stream')('count');
  const share = characters / (sizeOf(corpus) * 1024);
  if (share < LEAST_SHOWN) throw new Error(`${contestant} shows ${String(Math.round(share * 100))} % of "${corpus}".`);
}
