/** What the bench uses of React's DOM. */
import type { Element } from 'react';

export function createRoot(host: HTMLElement): { render(element: Element): void; unmount(): void };
