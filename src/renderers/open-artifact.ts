/**
 * An artifact is to be shown at large. Whoever does that prevents the default, which is to open it in its place.
 * `beside`: only where there is room beside the conversation. `over`: also over it.
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
