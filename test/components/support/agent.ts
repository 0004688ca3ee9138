/** An agent under the test's control: it records every request and sends what the test tells it to send. */
export class ScriptedAgent {
  readonly requests: { readonly url: string; readonly body: unknown; readonly headers: Headers }[] = [];
  #replies: ReadableStreamDefaultController<Uint8Array>[] = [];
  #waiting: (() => void)[] = [];
  /** The response to the next requests. Default: a stream. */
  answer: (() => Response) | undefined;

  readonly fetch: typeof fetch = (input, init = {}) => {
    const url = typeof input === 'string' ? input : input instanceof URL ? input.href : input.url;
    const body = typeof init.body === 'string' ? (JSON.parse(init.body) as unknown) : undefined;
    this.requests.push({ url, body, headers: new Headers(init.headers) });
    for (const heard of this.#waiting.splice(0)) heard();
    if (this.answer) return Promise.resolve(this.answer());
    let own: ReadableStreamDefaultController<Uint8Array> | undefined;
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => {
        own = controller;
        this.#replies.push(controller);
      },
    });
    init.signal?.addEventListener('abort', () => {
      own?.error(new DOMException('Aborted', 'AbortError'));
    });
    return Promise.resolve(new Response(stream, { headers: { 'content-type': 'text/event-stream' } }));
  };

  /** Resolves when this number of requests has arrived. */
  async heard(count: number): Promise<void> {
    while (this.requests.length < count) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
  }

  /** Sends events in the latest reply. */
  say(...events: readonly { readonly type: string; readonly data: Readonly<Record<string, unknown>> }[]): void {
    const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
    this.#replies.at(-1)?.enqueue(new TextEncoder().encode(text));
  }

  /** Sends text, in session events. */
  write(text: string): void {
    this.say({ type: 'content', data: { content: text } });
  }

  end(text = ''): void {
    if (text) this.write(text);
    this.say({ type: 'session_end', data: { status: 'completed' } });
    this.hangUp();
  }

  hangUp(): void {
    this.#replies.at(-1)?.close();
  }

  /** Breaks the connection. */
  drop(): void {
    this.#replies.at(-1)?.error(new TypeError('network error'));
  }
}
