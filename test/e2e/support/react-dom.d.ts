/** The part that the test's page needs: the package has no types of its own. */
declare module 'react-dom/client' {
  import type { ReactNode } from 'react';
  export function createRoot(container: Element): { render(node: ReactNode): void; unmount(): void };
  export function hydrateRoot(container: Element, node: ReactNode): void;
}
declare module 'react-dom' {
  export function flushSync(change: () => void): void;
}
