/** A recorded response of a server. */
export interface Recording {
  /** `owner/name` on GitHub. */
  readonly repository: string;
  readonly file: string;
  /** Position among the responses of its file. */
  readonly index: number;
  /** The requested address. */
  readonly url: URL;
  readonly status: number;
  readonly contentType: string;
  readonly body: Uint8Array;
}

/** A response as it is found in a file. */
export interface Exchange {
  /** The requested address, absolute or only its path; empty if the file does not contain it. */
  readonly address: string;
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Uint8Array;
}
