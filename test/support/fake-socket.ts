/** As much of a WebSocket as the reader of one uses, with the server's side in the test's hands. */
export class FakeSocket extends EventTarget {
  static readonly made: FakeSocket[] = [];
  binaryType = 'blob';
  readonly sent: unknown[] = [];
  closed = false;
  readonly url: string;
  readonly protocols: readonly string[];

  constructor(url = '', protocols: readonly string[] = []) {
    super();
    this.url = url;
    this.protocols = protocols;
    FakeSocket.made.push(this);
  }

  send(data: unknown): void {
    this.sent.push(data);
  }

  close(): void {
    if (this.closed) return;
    this.hangUp();
  }

  open(): void {
    this.dispatchEvent(new Event('open'));
  }

  say(...messages: readonly (string | ArrayBuffer)[]): void {
    for (const data of messages) this.dispatchEvent(new MessageEvent('message', { data }));
  }

  hangUp({ code = 1000, wasClean = true, reason = '' }: CloseEventInit = {}): void {
    this.closed = true;
    this.dispatchEvent(new CloseEvent('close', { code, wasClean, reason }));
  }

  /** The type that the reader takes. What it lacks the reader does not use. */
  asSocket(): WebSocket {
    return this as unknown as WebSocket;
  }
}
