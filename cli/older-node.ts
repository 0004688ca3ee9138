/** Polyfills for Node 20 of newer engine features that the library uses. Import it before the library. */
if (!('parse' in URL)) {
  Object.defineProperty(URL, 'parse', {
    configurable: true,
    writable: true,
    value: (url: string | URL, base?: string | URL): URL | null =>
      URL.canParse(url, base) ? new URL(url, base) : null,
  });
}
