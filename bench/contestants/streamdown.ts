/** streamdown with React, rendered once per frame. */
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { Streamdown } from 'streamdown';
import { createFrameSink, type Contestant } from './contestant.ts';

export const contestant: Contestant = {
  mount(host) {
    const root = createRoot(host);
    return createFrameSink((text, ended) => {
      root.render(createElement(Streamdown, { isAnimating: !ended, children: text }));
    });
  },
};
