/** The part of React DOM that the bench uses. */
import type { Element } from 'react';

export function createRoot(host: HTMLElement): { render(element: Element): void; unmount(): void };
