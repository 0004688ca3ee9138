/** What one writes in forty lines: marked lexes the last block only; the blocks before it are frozen and gathered in groups. */
import DOMPurify from 'dompurify';
import { marked, type Token } from 'marked';
import type { Contestant } from './contestant.ts';
import { groupsIn } from './groups.ts';

export const contestant: Contestant = {
  mount(host) {
    const frozen = document.createElement('div');
    const tail = document.createElement('div');
    host.append(frozen, tail);
    const groups = groupsIn(frozen);
    let open = '';
    let asked = false;

    const toNodes = (token: Token): DocumentFragment =>
      DOMPurify.sanitize(marked.parser([token]), { RETURN_DOM_FRAGMENT: true });
    const draw = (): void => {
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
        if (asked) return;
        asked = true;
        requestAnimationFrame(() => {
          asked = false;
          draw();
        });
      },
      async end() {
        await new Promise(requestAnimationFrame);
        draw();
      },
    };
  },
};
