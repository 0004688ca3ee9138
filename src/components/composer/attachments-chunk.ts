/** The attachments chunk of the composer, loaded with the first file. */
import '../../locales/all-english.ts';
import { html, type TemplateResult } from 'lit';
import sheetText from './attachments.css?inline';
import type { Localize } from '../../locales/localize.ts';
import { Attachments, type AttachSettings } from '../../runtime/attachments/attachments.ts';
import { adoptStylesheet, createStylesheet } from '../../theme/stylesheet.ts';
import { attachmentList } from './attachment-list.ts';

const style = createStylesheet(sheetText);

/** The attachments of one composer and their view. */
export class ComposerAttachments extends Attachments {
  constructor(host: Node, settings: () => AttachSettings, changed: () => void) {
    super(settings, changed);
    adoptStylesheet(host, style);
  }

  view(localize: Localize): TemplateResult {
    return html`${attachmentList({
      localize,
      files: this.files,
      refused: this.refused,
      remove: (id) => {
        this.remove(id);
      },
      retry: (id) => void this.retry(id),
    })}`;
  }
}
