/** What most pages do: with each frame the whole text through marked and DOMPurify, and in as HTML. */
import DOMPurify from 'dompurify';
import { marked } from 'marked';
import { sinkOfFrames, type Contestant } from './contestant.ts';

export const contestant: Contestant = {
  mount: (host) =>
    sinkOfFrames((text) => {
      host.innerHTML = DOMPurify.sanitize(marked.parse(text, { async: false }));
    }),
};
