/** A browser's network that the test controls. */
export function fakeNetwork() {
  const own = Object.getOwnPropertyDescriptor(navigator, 'onLine');
  let online = true;
  Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => online });
  return {
    goOffline(): void {
      online = false;
      window.dispatchEvent(new Event('offline'));
    },
    goOnline(): void {
      online = true;
      window.dispatchEvent(new Event('online'));
    },
    restore(): void {
      if (own) Object.defineProperty(navigator, 'onLine', own);
      else Reflect.deleteProperty(navigator, 'onLine');
    },
  };
}
