/** A promise with its `resolve` function. */
export interface Deferred<Value> {
  readonly promise: Promise<Value>;
  resolve(value: Value | PromiseLike<Value>): void;
}

/** `Promise.withResolvers()`, which zone.js up to 0.14.2 removes from the page's `Promise`. */
export function deferred<Value>(): Deferred<Value> {
  let resolve: Deferred<Value>['resolve'] | undefined;
  const promise = new Promise<Value>((settle) => {
    resolve = settle;
  });
  return { promise, resolve: resolve ?? (() => undefined) };
}
