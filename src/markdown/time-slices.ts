/**
 * Parses and renders long texts in slices, so that a text of any length does not block frames. The browser's own cost
 * of a slice (style, layout, paint) cannot be measured while rendering; the time until the next frame shows it.
 */
import { lengthWithinCost } from './parse/markup-cost.ts';
import { createdNodes } from './render/patch-dom.ts';

/** Number of characters rendered immediately; the rest of a longer text follows in the next frames. */
const FIRST_SLICE = 16_384;
/** Number of characters that are parsed and rendered between two checks of the time. */
const SLICE = 4096;
/** Maximum cost of the markup in a slice, as `parse/markup-cost.ts` counts it. */
const MOST_MARKUP = 1120;
/** A slice is cut after its last allowed mark, but not to fewer characters than these. */
const LEAST_SLICE = 128;
/** Minimum number of characters per frame. */
const LEAST_PER_FRAME = 256;
/** Minimum number of characters per slice, whatever they are: about what a fast stream delivers per frame. */
const MIN_SLICE = 1024;
/** Maximum number of characters of a text rendered in one frame. */
const MAX_PER_FRAME = 65_536;
/** Time budget for all slices of a frame, in milliseconds. */
const BUDGET_MS = 5;
/** After this number of new nodes, the rest waits for the next frame: custom elements render themselves after the slice. */
const MAX_NODES_PER_FRAME = 1024;
/** If a frame took longer than this, the next one gets half as many characters. */
const LATE_FRAME_MS = 40;
/** If a frame was faster than this, the next one gets twice as many. */
const FAST_FRAME_MS = 25;
/** A visible page may render no frames, for example behind another window. After this time it is treated as hidden. */
const NO_FRAME_MS = 100;

/** A text that is partly rendered. */
export interface SlicedRender {
  readonly pace: SlicePace;
  /** Parses and renders the next characters. @returns whether more remains */
  drawSlice(characters: number): boolean;
}

/** Returns the length of the next slice: shorter if many characters are marks, on purpose or not. */
export function sliceLength(text: string, characters: number): number {
  const isShort = text.length <= MIN_SLICE && text.length <= characters;
  if (isShort || characters === Number.POSITIVE_INFINITY) return text.length;
  return lengthWithinCost(text.slice(0, characters), MOST_MARKUP, LEAST_SLICE);
}

/** The number of characters of a text rendered per frame: reduced when frames are late. */
export class SlicePace {
  allowed = FIRST_SLICE;
  #isMeasuring = false;

  /** Called after a slice: measures the time until the next frame and adapts the number. */
  drew(characters: number): void {
    if (characters < LEAST_SLICE || this.#isMeasuring || isUnseen()) return;
    this.#isMeasuring = true;
    const startTime = performance.now();
    requestAnimationFrame(() => {
      this.#isMeasuring = false;
      if (isUnseen()) return;
      const took = performance.now() - startTime;
      if (took > LATE_FRAME_MS) this.allowed = Math.max(LEAST_PER_FRAME, this.allowed / 2);
      else if (took < FAST_FRAME_MS) this.allowed = Math.min(MAX_PER_FRAME, this.allowed * 2);
    });
  }
}

const queue = new Set<SlicedRender>();
const held = new Set<SlicedRender>();
let isScheduled = false;
/** No frame has been rendered for a while. */
let isWithoutFrames = false;
let channel: MessageChannel | undefined;

/** Schedules the rest of a text for the next frames. */
export function scheduleSlices(waiting: SlicedRender): void {
  held.delete(waiting);
  queue.add(waiting);
  schedule();
}

export function cancelSlices(waiting: SlicedRender): void {
  queue.delete(waiting);
}

/** Renders no more of a text until `scheduleSlices()` is called for it, except for printing. */
export function holdSlices(waiting: SlicedRender): void {
  held.add(waiting);
  addEventListener('beforeprint', renderAllSlices);
}

/** Renders all remaining text; the page is printed in the state after this. */
export function renderAllSlices(): void {
  for (const waiting of [...queue, ...held]) {
    let isBehind = true;
    while (isBehind) isBehind = waiting.drawSlice(Number.POSITIVE_INFINITY);
  }
  queue.clear();
}

function schedule(): void {
  if (isScheduled || queue.size === 0) return;
  isScheduled = true;
  // Adding the same listener again has no effect.
  addEventListener('beforeprint', renderAllSlices);
  if (isUnseen()) {
    afterTask();
    return;
  }
  const timer = setTimeout(() => {
    isOver = true;
    isWithoutFrames = !document.hidden;
    run();
  }, NO_FRAME_MS);
  let isOver = false;
  // The callback stays scheduled: it reports when frames are rendered again.
  requestAnimationFrame(() => {
    isWithoutFrames = false;
    if (isOver) return;
    clearTimeout(timer);
    run();
  });
}

const isUnseen = (): boolean => document.hidden || isWithoutFrames;

/** Continues in a task of its own: a hidden page renders no frames and throttles timers. */
function afterTask(): void {
  if (!channel) {
    channel = new MessageChannel();
    channel.port1.onmessage = run;
  }
  channel.port2.postMessage(undefined);
}

function run(): void {
  isScheduled = false;
  const end = performance.now() + BUDGET_MS;
  const nodes = createdNodes + MAX_NODES_PER_FRAME;
  const isUsedUp = (): boolean => performance.now() > end || createdNodes > nodes;
  // The last text first: a conversation is shown at its end.
  for (const waiting of [...queue].reverse()) {
    if (!drawInFrame(waiting, isUsedUp)) queue.delete(waiting);
    if (isUsedUp()) break;
  }
  schedule();
}

/** @returns whether more of the text remains */
function drawInFrame(waiting: SlicedRender, isUsedUp: () => boolean): boolean {
  let isBehind = true;
  for (let remaining = waiting.pace.allowed; isBehind && remaining > 0 && !isUsedUp(); remaining -= SLICE)
    isBehind = waiting.drawSlice(Math.min(remaining, SLICE));
  return isBehind;
}
