/** Streams a text into a contestant, a number of tokens per frame, and keeps its end in view like a chat. */
import type { Contestant, Sink } from '../contestants/contestant.ts';
import { corpora, type CorpusName } from '../corpora/corpora.ts';
import { tokensOf } from '../corpora/cut.ts';
import { nextFrame, settled } from './frames.ts';
import { host } from './host.ts';

export interface StreamResult {
  /** Whether the complete text was rendered within the time limit. */
  readonly isComplete: boolean;
  /** The number of written characters. */
  readonly written: number;
  readonly frames: number;
}

let sink: Sink | undefined;
let tokens: readonly string[] = [];

export async function prepare(name: string, corpus: CorpusName): Promise<void> {
  const text = corpora[corpus]();
  tokens = tokensOf(text);
  const module = (await import(/* @vite-ignore */ `/page/${name}.js`)) as { readonly contestant: Contestant };
  sink = await module.contestant.mount(host(), text);
  await settled();
}

export async function play(perFrame: number, capMs: number): Promise<StreamResult> {
  if (!sink) throw new Error('Nothing has been prepared.');
  const scroller = host();
  const deadline = performance.now() + capMs;
  let next = 0;
  let written = 0;
  let frames = 0;
  while (next < tokens.length && performance.now() < deadline) {
    await nextFrame();
    frames++;
    // The layout of the last frame is reused: reading it costs no additional layout.
    scroller.scrollTop = scroller.scrollHeight;
    for (const token of tokens.slice(next, next + perFrame)) {
      sink.write(token);
      written += token.length;
    }
    next += perFrame;
  }
  const isComplete = next >= tokens.length;
  if (isComplete) await sink.end();
  await settled();
  return { isComplete, written, frames };
}

/** Counts elements and text, also in shadow roots, to check that all contestants have rendered the same. */
export function count(root: Node = host()): { readonly elements: number; readonly characters: number } {
  let elements = 0;
  let characters = 0;
  const walk = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    if (node instanceof Text) characters += node.data.length;
    else if (node instanceof Element) {
      elements++;
      if (!node.shadowRoot) continue;
      const inner = count(node.shadowRoot);
      elements += inner.elements;
      characters += inner.characters;
    }
  }
  return { elements, characters };
}
