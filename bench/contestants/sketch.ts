/** A solution in forty lines: marked lexes only the last block; the blocks before it are frozen and grouped. */
import DOMPurify from 'dompurify';
import { marked, type Token } from 'marked';
import type { Contestant } from './contestant.ts';
import { createGroups } from './groups.ts';

export const contestant: Contestant = {
  mount(host) {
    const frozen = document.createElement('div');
    const tail = document.createElement('div');
    host.append(frozen, tail);
    const groups = createGroups(frozen);
    let open = '';
    let isScheduled = false;

    const toNodes = (token: Token): DocumentFragment =>
      DOMPurify.sanitize(marked.parser([token]), { RETURN_DOM_FRAGMENT: true });
    const render = (): void => {
      const tokens = marked.lexer(open);
      const last = tokens.pop();
      for (const token of tokens) {
        open = open.slice(token.raw.length);
        if (token.type !== 'space') groups.next().append(toNodes(token));
      }
      tail.replaceChildren(...(last ? [toNodes(last)] : []));
    };
    return {
      write(delta) {
        open += delta;
        if (isScheduled) return;
        isScheduled = true;
        requestAnimationFrame(() => {
          isScheduled = false;
          render();
        });
      },
      async end() {
        await new Promise(requestAnimationFrame);
        render();
      },
    };
  },
};
