/** streamdown on React, drawn once a frame. */
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { Streamdown } from 'streamdown';
import { sinkOfFrames, type Contestant } from './contestant.ts';

export const contestant: Contestant = {
  mount(host) {
    const root = createRoot(host);
    return sinkOfFrames((text, ended) => {
      root.render(createElement(Streamdown, { isAnimating: !ended, children: text }));
    });
  },
};
