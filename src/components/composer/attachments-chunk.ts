/** Entry of the lazy chunk for attachments, loaded when the user attaches a file. */
import '../../locales/english/all-english.ts';
import { html, type TemplateResult } from 'lit';
import css from './attachments.css?inline';
import type { Localize } from '../../locales/localize.ts';
import { Attachments, type AttachSettings } from '../../runtime/attachments/attachments.ts';
import { adoptStylesheet, createStylesheet } from '../../theme/stylesheet.ts';
import { reportPageFunction } from '../shared/report-page-function.ts';
import { attachmentList } from './attachment-list.ts';

const sheet = createStylesheet(css);

/** The attachments of one composer, with their template and stylesheet. */
export class ComposerAttachments extends Attachments {
  constructor(root: Node, settings: () => AttachSettings, onChange: () => void, onRefuse: () => void) {
    super(settings, onChange, {
      refused: onRefuse,
      uploadFailed: (cause) => void reportPageFunction('upload', cause, root),
    });
    adoptStylesheet(root, sheet);
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
