import type { Contestant } from '../contestants/contestant.ts';
import { playSse } from './play-sse.ts';
import type { Widget } from './widget.ts';

/** A chat that is no more than a column of answers, each shown by a contestant, its end kept in view. */
export const widgetOf = (contestant: Contestant): Widget => ({
  mount: (host) =>
    Promise.resolve({
      async ask(url) {
        const answer = document.createElement('article');
        host.append(answer);
        const follow = (): void => {
          host.scrollTop = host.scrollHeight;
          frame = requestAnimationFrame(follow);
        };
        let frame = requestAnimationFrame(follow);
        await playSse(url, await contestant.mount(answer, ''));
        cancelAnimationFrame(frame);
      },
    }),
});
