/**
 * The limit: it knows the final DOM and replays it by only adding nodes. No parser, diff or sanitiser runs while the
 * text arrives. The rest is what the browser itself needs to show text that grows with each frame.
 */
import type { Contestant } from './contestant.ts';
import { createGroups } from './groups.ts';
import { createLongBlockBoxes } from './long-blocks.ts';
import { stepsOf, type Step } from './limit-steps.ts';

/** Maximum number of characters in one text node; a longer text continues in another node. */
const LONGEST_TEXT = 1000;

export const contestant: Contestant = {
  mount(host, completeText) {
    const steps = stepsOf(completeText);
    const groups = createGroups(host);
    const boxes = createLongBlockBoxes();
    const open: Element[] = [];
    let text: Text | undefined;
    let index = 0;
    let shownLength = 0;

    const add = (node: Node): void => {
      const parent = open.at(-1);
      (parent ? boxes.next(parent) : groups.next()).appendChild(node);
    };
    const appendText = (chunk: string): void => {
      if (text && text.length < LONGEST_TEXT) text.appendData(chunk);
      else {
        text = new Text(chunk);
        add(text);
      }
    };
    /** Plays a step as far as the received text allows. Returns whether the step is complete. */
    const play = (step: Step, received: number): boolean => {
      if (step.kind === 'text') {
        const share = step.end > step.start ? (received - step.start) / (step.end - step.start) : 1;
        const end = share >= 1 ? step.text.length : Math.floor(step.text.length * share);
        if (end > shownLength) appendText(step.text.slice(shownLength, end));
        shownLength = end;
        if (end < step.text.length) return false;
        shownLength = 0;
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
    const playReceived = (): void => {
      for (let step = steps[index]; step && play(step, received); step = steps[index]) index++;
    };
    let isScheduled = false;
    return {
      write(delta) {
        received += delta.length;
        if (isScheduled) return;
        isScheduled = true;
        requestAnimationFrame(() => {
          isScheduled = false;
          playReceived();
        });
      },
      async end() {
        await new Promise(requestAnimationFrame);
        playReceived();
      },
    };
  },
};
