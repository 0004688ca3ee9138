import type { MessageInput } from 'agent-chat-element';

/** One look of the widget, as data: the demo's gallery, the pictures and the accessibility checks all show it from this. */
export interface Scene {
  /** In addresses and names of files. */
  readonly name: string;
  readonly title: string;
  /** Properties of the widget, as JSON could say them. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The conversation before anything happens. */
  readonly messages?: readonly MessageInput[];
  /** Conversations that are kept; the first one is on show. */
  readonly threads?: readonly { readonly title: string; readonly hoursAgo: number }[];
  /** What is asked then. */
  readonly ask?: readonly string[];
  /** How the agent answers it: with these session events, and then it ends, goes on, or is lost. Without one it says nothing. */
  readonly reply?: {
    readonly events?: readonly SceneEvent[];
    readonly then: 'ends' | 'goes on' | 'is lost';
    /** An HTTP status other than 200. */
    readonly status?: number;
  };
  /** What is written and not sent. */
  readonly draft?: string;
  /** Selectors in the widget of what the reader presses, one after another. */
  readonly press?: readonly string[];
  /** Everything that can be unfolded is. */
  readonly unfold?: boolean;
  /** Selectors in the widget of what is there when the last of it is drawn. */
  readonly ready: readonly string[];
}

export interface SceneEvent {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}
