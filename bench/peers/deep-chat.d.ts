/** The part of deep-chat that the bench uses. */
export interface Signals {
  onOpen(): void;
  onClose(): void;
  onResponse(response: { readonly text: string }): Promise<void>;
}

export interface DeepChatSettings {
  readonly connect?: {
    readonly url?: string;
    readonly stream?: boolean | { readonly partialRender: boolean };
    readonly handler?: (body: unknown, signals: Signals) => void;
  };
  readonly history?: readonly { readonly role: 'user' | 'ai'; readonly text: string }[];
  readonly responseInterceptor?: (response: unknown) => unknown;
  readonly onMessage?: (event: { readonly isHistory: boolean; readonly message: { readonly role: string } }) => void;
}

export interface DeepChat extends HTMLElement {
  submitUserMessage(content: { readonly text: string }): void;
}
