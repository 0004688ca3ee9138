/**
 * Requests the expanded view of an artifact. A listener that shows it calls `preventDefault()`; by default the artifact
 * opens inline. `beside`: only if there is room next to the conversation. `over`: also over the conversation.
 */
export class OpenArtifactEvent extends Event {
  readonly identifier: string;
  readonly where: 'beside' | 'over';

  constructor(identifier: string, where: 'beside' | 'over') {
    super('open-artifact', { bubbles: true, cancelable: true });
    this.identifier = identifier;
    this.where = where;
  }
}
