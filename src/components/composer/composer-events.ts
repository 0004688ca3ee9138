/** Events that the composer dispatches to the widget. */
import type { Attachment } from '../../model/attachment.ts';

/** The user submits text with attachments. `giveBack` restores the attachments in the composer. */
export class ComposerSubmitEvent extends Event {
  readonly text: string;
  readonly attachments: readonly Attachment[];
  readonly giveBack: () => void;
  constructor(text: string, { attachments, giveBack }: Pick<ComposerSubmitEvent, 'attachments' | 'giveBack'>) {
    super('agent-chat-submit');
    this.text = text;
    this.attachments = attachments;
    this.giveBack = giveBack;
  }
}

/** The user has chosen a model, by id. */
export class ModelChangeEvent extends Event {
  readonly model: string;
  constructor(model: string) {
    super('agent-chat-model');
    this.model = model;
  }
}
