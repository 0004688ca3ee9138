/** streaming-markdown: its own parser only adds nodes. It writes with every token, as its readme recommends. */
import { default_renderer, parser, parser_end, parser_write } from 'streaming-markdown';
import type { Contestant } from './contestant.ts';

export const contestant: Contestant = {
  mount(host) {
    const growing = parser(default_renderer(host));
    return {
      write: (delta) => {
        parser_write(growing, delta);
      },
      end: () => {
        parser_end(growing);
        return Promise.resolve();
      },
    };
  },
};
