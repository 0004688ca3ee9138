/** What a composer says to the widget around it. */
import type { Attachment } from '../model/attachment.ts';

/** What the reader has written is to go out, with its files. `giveBack` puts those into the composer again. */
export class SubmitEvent extends Event {
  readonly text: string;
  readonly attachments: readonly Attachment[];
  readonly giveBack: () => void;
  constructor(text: string, { attachments, giveBack }: Pick<SubmitEvent, 'attachments' | 'giveBack'>) {
    super('agent-chat-submit');
    this.text = text;
    this.attachments = attachments;
    this.giveBack = giveBack;
  }
}

/** The reader has chosen a model, by its id. */
export class ModelEvent extends Event {
  readonly model: string;
  constructor(model: string) {
    super('agent-chat-model');
    this.model = model;
  }
}
