import type { MessageInput } from 'agent-chat-element';

/** One state of the widget as data. The gallery, the screenshots and the accessibility checks all use it. */
export interface Scene {
  /** Used in URLs and file names. */
  readonly name: string;
  readonly title: string;
  /** Properties of the widget that JSON can express. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The initial messages. */
  readonly messages?: readonly MessageInput[];
  /** Stored conversations; the first one is active. */
  readonly threads?: readonly { readonly title: string; readonly hoursAgo: number }[];
  /** The question that is sent. */
  readonly ask?: readonly string[];
  /**
   * The agent's answer: these session events, after which the stream ends, stays open or breaks. Without it the agent
   * sends nothing.
   */
  readonly reply?: {
    readonly events?: readonly SceneEvent[];
    readonly then: 'ends' | 'goes on' | 'is lost';
    /** An HTTP status other than 200. */
    readonly status?: number;
  };
  /** The text in the composer that is not sent. */
  readonly draft?: string;
  /** Selectors of the controls that are clicked, in order. */
  readonly press?: readonly string[];
  /** Whether everything collapsible is expanded. */
  readonly unfold?: boolean;
  /** Selectors of elements that exist once the scene is fully rendered. */
  readonly ready: readonly string[];
}

export interface SceneEvent {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}
