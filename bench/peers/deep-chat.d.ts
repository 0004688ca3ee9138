/** What the bench uses of deep-chat. */
export interface Signals {
  onOpen(): void;
  onClose(): void;
  onResponse(response: { readonly text: string }): Promise<void>;
}

export interface DeepChat extends HTMLElement {
  connect: {
    url?: string;
    stream?: boolean | { partialRender: boolean };
    handler?: (body: unknown, signals: Signals) => void;
  };
  chatStyle: Readonly<Record<string, string>>;
  history: readonly { readonly role: 'user' | 'ai'; readonly text: string }[];
  responseInterceptor: (response: unknown) => unknown;
  onComponentRender: () => void;
  onMessage: (event: { readonly isHistory: boolean; readonly message: { readonly role: string } }) => void;
  submitUserMessage(content: { readonly text: string }): void;
}
