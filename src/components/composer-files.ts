/** What a composer needs once a file comes; it is fetched with the first one. */
import { html, type TemplateResult } from 'lit';
import sheetText from '../theme/composer-files.css?inline';
import type { Localize } from '../locales/localize.ts';
import { Attachments, type AttachSettings } from '../runtime/attachments/attachments.ts';
import { adoptSheet, sheet } from '../theme/sheet.ts';
import { attachmentList } from './attachment-list.ts';

const style = sheet(sheetText);

/** The files of one composer, and how they are shown. */
export class ComposerFiles extends Attachments {
  constructor(host: Node, settings: () => AttachSettings, changed: () => void) {
    super(settings, changed);
    adoptSheet(host, style);
  }

  view(localize: Localize): TemplateResult {
    return html`${attachmentList({
      localize,
      files: this.files,
      remove: (id) => {
        this.remove(id);
      },
      retry: (id) => void this.retry(id),
    })}`;
  }
}
