/** Opens an existing conversation. */
import { conversation, type Message } from '../corpora/conversation.ts';
import type { Opener } from '../openers/opener.ts';
import { nextFrame, settled } from './frames.ts';
import { host } from './host.ts';

/** Pixels of tolerance, because fractional positions are rounded. */
const TOLERANCE = 2;

let opener: Opener | undefined;
let messages: readonly Message[] = [];
let scroller: HTMLElement | undefined;

/** Loads the opener with a conversation of two messages, so that no chunk is fetched later. */
export async function prepare(name: string, count: number): Promise<void> {
  ({ opener } = (await import(/* @vite-ignore */ `/page/${name}.js`)) as { readonly opener: Opener });
  messages = conversation(count);
  await opener.open(host(), conversation(2));
  await settled();
}

export async function open(): Promise<void> {
  scroller = await opener?.open(host(), messages);
  await settled();
}

export interface ScrollResult {
  /** The number of steps that moved the visible text by another distance than the step. */
  readonly moved: number;
  /** The number of steps without a message around the middle of the view. */
  readonly empty: number;
}

/** Scrolls up by the given number of half-view steps, one every two frames. The conversation must be long enough. */
export async function scrollUp(steps: number): Promise<ScrollResult> {
  const box = scroller;
  if (!box) throw new Error('Nothing was opened.');
  const step = Math.round(box.clientHeight / 2);
  let moved = 0;
  let empty = 0;
  for (let index = 0; index < steps; index++) {
    const read = messageAt(box, 1 / 4);
    const before = read?.getBoundingClientRect().top ?? 0;
    box.scrollTop -= step;
    await nextFrame();
    await nextFrame();
    if (!messageAt(box, 0.45) && !messageAt(box, 0.55)) empty++;
    if (read && Math.abs(read.getBoundingClientRect().top - before - step) > TOLERANCE) moved++;
  }
  return { moved, empty };
}

/** The message at a fraction of the view's height; undefined in a gap between two. */
function messageAt(box: HTMLElement, part: number): Element | undefined {
  const { left, top, width, height } = box.getBoundingClientRect();
  const root = box.getRootNode() as Document | ShadowRoot;
  return root
    .elementsFromPoint(left + width / 2, top + height * part)
    .map((element) => element.closest('article'))
    .find((article) => article !== null);
}
