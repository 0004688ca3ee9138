import type { Contestant } from '../contestants/contestant.ts';
import { playSse } from './play-sse.ts';
import type { Widget } from './widget.ts';

/** A minimal chat: a column of answers, each rendered by a contestant, with its end kept in view. */
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
