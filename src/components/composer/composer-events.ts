/** Events that the composer dispatches to the widget. */
import type { Attachment } from '../../model/attachment.ts';

/** The user submits text with attachments. `restoreDraft` restores the attachments in the composer. */
export class ComposerSubmitEvent extends Event {
  readonly text: string;
  readonly attachments: readonly Attachment[];
  readonly restoreDraft: () => void;
  constructor(text: string, { attachments, restoreDraft }: Pick<ComposerSubmitEvent, 'attachments' | 'restoreDraft'>) {
    super('agent-chat-submit');
    this.text = text;
    this.attachments = attachments;
    this.restoreDraft = restoreDraft;
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
