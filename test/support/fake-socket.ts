/** The part of a WebSocket that the client uses, with a server side that the test controls. */
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

  /** The type that the client expects. The client does not use the missing members. */
  asSocket(): WebSocket {
    return this as unknown as WebSocket;
  }
}
