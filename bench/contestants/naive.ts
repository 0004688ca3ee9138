/** The approach of most pages: with each frame, the complete text through marked and DOMPurify into `innerHTML`. */
import DOMPurify from 'dompurify';
import { marked } from 'marked';
import { createFrameSink, type Contestant } from './contestant.ts';

export const contestant: Contestant = {
  mount: (host) =>
    createFrameSink((text) => {
      host.innerHTML = DOMPurify.sanitize(marked.parse(text, { async: false }));
    }),
};
