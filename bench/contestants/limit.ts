/**
 * The limit: the final DOM is known beforehand and replayed, nodes are only ever added. No parser, no diff and no sanitiser run
 * while the text comes. What remains is what the browser itself needs to show a text that grows by frames.
 */
import type { Contestant } from './contestant.ts';
import { groupsIn } from './groups.ts';
import { boxesInLongBlocks } from './long-blocks.ts';
import { stepsOf, type Step } from './limit-steps.ts';

/** Characters in one text node: beyond it, the next piece begins another. */
const LONGEST_TEXT = 1000;

export const contestant: Contestant = {
  mount(host, whole) {
    const steps = stepsOf(whole);
    const groups = groupsIn(host);
    const boxes = boxesInLongBlocks();
    const open: Element[] = [];
    let text: Text | undefined;
    let at = 0;
    let shown = 0;

    const add = (node: Node): void => {
      const parent = open.at(-1);
      (parent ? boxes.next(parent) : groups.next()).appendChild(node);
    };
    const say = (piece: string): void => {
      if (text && text.length < LONGEST_TEXT) text.appendData(piece);
      else {
        text = new Text(piece);
        add(text);
      }
    };
    /** Plays a step as far as the text has come. Returns whether it is over. */
    const play = (step: Step, received: number): boolean => {
      if (step.kind === 'text') {
        const share = step.end > step.start ? (received - step.start) / (step.end - step.start) : 1;
        const until = share >= 1 ? step.text.length : Math.floor(step.text.length * share);
        if (until > shown) say(step.text.slice(shown, until));
        shown = until;
        if (until < step.text.length) return false;
        shown = 0;
        return true;
      }
      if (step.start > received) return false;
      text = undefined;
      if (step.kind === 'open') {
        const node = step.node.cloneNode() as Element;
        add(node);
        open.push(node);
      } else open.pop();
      return true;
    };

    let received = 0;
    const catchUp = (): void => {
      for (let step = steps[at]; step && play(step, received); step = steps[at]) at++;
    };
    let asked = false;
    return {
      write(delta) {
        received += delta.length;
        if (asked) return;
        asked = true;
        requestAnimationFrame(() => {
          asked = false;
          catchUp();
        });
      },
      async end() {
        await new Promise(requestAnimationFrame);
        catchUp();
      },
    };
  },
};
